package import SyncModel

/// A key that some part of the daemon declares: the core, or a built-in plugin, enabled or not.
package struct SettingKey: Hashable, Sendable, CustomStringConvertible {
    package enum Shape: Hashable, Sendable { case text, list }

    package let path: [String]
    package let shape: Shape

    private init(_ name: String, _ shape: Shape = .text) {
        path = name.split(separator: ".").map(String.init)
        self.shape = shape
    }

    /// The name as people write it: `remote.credentialFile`.
    package var description: String { path.joined(separator: ".") }

    /// The environment variable that sets it: `MOVIESYNC_REMOTE_CREDENTIAL_FILE`.
    package var environmentName: String {
        var name = "MOVIESYNC"
        for part in path {
            name.append("_")
            var previous: Character = "_"
            for character in part {
                if previous.isLowercase, character.isUppercase { name.append("_") }
                name.append(character.isLetter || character.isNumber ? character.uppercased() : "_")
                previous = character
            }
        }
        return name
    }
}

extension SettingKey {
    package static let state = SettingKey("state")
    package static let journal = SettingKey("journal")
    package static let socket = SettingKey("socket")
    package static let enabled = SettingKey("collections.enabled", .list)
    package static let plugin = SettingKey("remote.plugin")
    package static let url = SettingKey("remote.url")
    package static let meta = SettingKey("remote.meta")
    package static let credential = SettingKey("remote.credential")
    package static let credentialFile = SettingKey("remote.credentialFile")
    package static let writeGuard = SettingKey("remote.writeGuard")
    package static let caFile = SettingKey("remote.tls.caFile")
    package static let maxAhead = SettingKey("clock.maxAhead")
    package static let keepTombstones = SettingKey("tombstones.keep")
    package static let listen = SettingKey("local.listen")
    package static let data = SettingKey("local.data")
    package static let localFsync = SettingKey("local.fsync")
    package static let localKeepAlive = SettingKey("local.keepAlive")
    package static let localRules = SettingKey("local.rules")
    package static let localSecret = SettingKey("local.secret")
    package static let localTokenKey = SettingKey("local.tokenKey")
    package static let localProject = SettingKey("local.project")
    package static let localEmulator = SettingKey("local.emulator")
    package static let localInsecure = SettingKey("local.insecure")
    package static let localCertificate = SettingKey("local.tls.cert")
    package static let localKey = SettingKey("local.tls.key")
    package static let logLevel = SettingKey("log.level")
    package static let logFormat = SettingKey("log.format")

    package static func base(of collection: CollectionID) -> SettingKey {
        SettingKey("collections.\(collection).base")
    }

    package static func pull(of collection: CollectionID) -> SettingKey {
        SettingKey("collections.\(collection).pull")
    }

    /// Every declared key, with those of these collections.
    package static func all(collections: [CollectionID]) -> [SettingKey] {
        [
            state, journal, socket, enabled, plugin, url, meta, credential, credentialFile, writeGuard, caFile,
            maxAhead, keepTombstones, listen, data, localFsync, localKeepAlive, localRules, localSecret, localTokenKey,
            localProject,
            localEmulator,
            localInsecure, localCertificate, localKey, logLevel, logFormat,
        ] + collections.flatMap { [base(of: $0), pull(of: $0)] }
    }
}
