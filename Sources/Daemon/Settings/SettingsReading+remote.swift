internal import FoundationEssentials
internal import JSONText
internal import NIOSSL
internal import OperatingSystem
internal import SyncModel
internal import SystemPackage

/// The collections and the remote: what must fit together.
extension SettingsReading {
    mutating func enabledCollections() -> [Settings.Collection] {
        var names: [String] = []
        do {
            if let found = try layers.list(.enabled) {
                origins[.enabled] = found.origin
                names = found.value
            }
        } catch {
            origins[.enabled] = .builtIn
            problems.append(error)
        }
        if names.isEmpty, origins[.enabled] != .builtIn { complain(about: .enabled, "names no collection") }
        // Keys of collections that are not enabled are checked all the same.
        let known = collections.map {
            let base = databasePath(.base(of: $0)) ?? $0.name
            return Settings.Collection(id: $0, base: base, pull: word(.pull(of: $0)) ?? .full)
        }
        var chosen: [Settings.Collection] = []
        for name in names {
            guard let collection = known.first(where: { $0.id.name == name }) else {
                let all = collections.map(\.name)
                let hint = NearestName.hint(for: name, among: all)
                complain(
                    about: .enabled,
                    "names \(quoted(name)), but the collections are \(all.joined(separator: ", "))" + hint)
                continue
            }
            if chosen.contains(collection) {
                complain(about: .enabled, "names \(name) twice")
            } else {
                chosen.append(collection)
            }
        }
        return chosen
    }

    mutating func remote(_ local: Settings.Local) -> Settings.Remote {
        let plugin: Settings.Remote.Plugin = word(.plugin) ?? .local
        let meta = databasePath(.meta).flatMap { $0 == "none" ? nil : $0 }
        if meta == "" { complain(about: .meta, "is empty: name a path beside the collections, or none") }
        let credential = credential()
        let address = address(plugin)
        if let address, credential != .none, credential != .emulator, !address.isPrivate {
            complain(about: .url, "would send the credential in the clear: use https")
        }
        let writeGuard: Settings.Remote.WriteGuard = word(.writeGuard) ?? .etag
        if writeGuard == .rules { checkRulesBind(plugin, credential, local) }
        if plugin == .local { checkProtection(of: local) }
        return Settings.Remote(
            plugin: plugin, url: address?.root, namespace: address?.namespace, meta: meta, credential: credential,
            writeGuard: writeGuard, caFile: certificates()
        )
    }

    /// A path in the database without slashes at its ends; nil where it is wrong.
    ///
    /// - See: the key rules of the Realtime Database: no `. $ # [ ] /`, no control characters, 768 bytes, 32 levels.
    private mutating func databasePath(_ key: SettingKey) -> String? {
        guard let text = text(key) else { return nil }
        guard !text.isEmpty else { return "" }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        for part in parts {
            if part.isEmpty {
                complain(
                    about: key, "is \(quoted(text)): write a path without slashes at its ends, such as shared/movies")
                return nil
            }
            if let wrong = part.unicodeScalars.first(where: {
                ".$#[]".unicodeScalars.contains($0) || $0.value < 0x20 || $0.value == 0x7F
            }) {
                complain(about: key, "is \(quoted(text)), but a path can't hold \(quoted(String(wrong)))")
                return nil
            }
        }
        guard parts.count <= 28, parts.allSatisfy({ $0.utf8.count <= 768 }) else {
            complain(about: key, "is too long: at most 28 parts of 768 bytes")
            return nil
        }
        return text
    }

    private mutating func address(_ plugin: Settings.Remote.Plugin) -> DatabaseAddress? {
        guard let text = text(.url), !text.isEmpty else {
            if plugin == .firebase {
                origins[.url] = origins[.plugin]
                complain(about: .url, "is missing: firebase needs the address of the database")
            }
            return nil
        }
        if let address = DatabaseAddress(text) { return address }
        // The value is not repeated: what does not belong into an address may well be a secret.
        complain(
            about: .url,
            "must be the address of the database alone, such as https://my-project-default-rtdb.firebaseio.com"
        )
        return nil
    }

    private mutating func credential() -> Settings.Credential {
        enum Kind: String, CaseIterable {
            case none, emulator, secret
            case serviceAccount = "service-account"
            case idToken = "id-token"
        }
        let name = text(.credentialFile).flatMap { $0.isEmpty ? nil : $0 }
        let kind: Kind = word(.credential) ?? .none
        guard kind != .none, kind != .emulator else { return kind == .none ? .none : .emulator }
        guard let name else {
            origins[.credentialFile] = origins[.credential]
            complain(about: .credentialFile, "is missing: \(kind.rawValue) needs it")
            return .none
        }
        let managed = environment["CREDENTIALS_DIRECTORY"]
        let path = LocalFiles.place(of: name, in: folder(of: .credentialFile), credentials: managed)
        do {
            let secret = try SecretFile.read(at: path.string, credentials: managed)
            if secret.isEmpty {
                complain(about: .credentialFile, "names an empty file: \(path)")
            } else if kind == .serviceAccount, !isServiceAccount(secret) {
                complain(about: .credentialFile, "names \(path), which is not a service account's key in JSON")
            }
        } catch {
            complain(about: .credentialFile, "can't be used: \(error)")
        }
        return switch kind {
        case .serviceAccount: .serviceAccount(path)
        case .secret: .secret(path)
        case .idToken: .idToken(path)
        case .none, .emulator: .none
        }
    }

    private func isServiceAccount(_ json: [UInt8]) -> Bool {
        guard let members = try? JSONReader.members(json) else { return false }
        return ["client_email", "private_key"].allSatisfy { members[$0]?.text?.isEmpty == false }
    }

    private mutating func certificates() -> FilePath? {
        guard let text = text(.caFile), !text.isEmpty, let path = path(.caFile) else { return nil }
        let certificates = try? NIOSSLCertificate.fromPEMFile(path.string)
        if certificates?.isEmpty ?? true {
            complain(about: .caFile, "names \(path), which is not a readable file of PEM certificates")
        }
        return path
    }

    /// Batches are written without a condition where the rules decide, so the rules must be able to refuse us.
    private mutating func checkRulesBind(
        _ plugin: Settings.Remote.Plugin, _ credential: Settings.Credential, _ local: Settings.Local
    ) {
        switch (plugin, credential) {
        case (.local, _):
            guard local.rules == nil else { return }
            complain(about: .writeGuard, "is rules, but the embedded server has none: set local.rules, or use etag")
        case (_, .emulator), (_, .secret):
            complain(
                about: .writeGuard, "is rules, but rules do not bind this credential: use etag, or service-account")
        case (_, .none), (_, .serviceAccount), (_, .idToken): break
        }
    }

    /// Nothing but records may stand under a base, whoever else looks at it.
    mutating func checkBases(_ settings: Settings) {
        let collections = settings.collections
        for (index, collection) in collections.enumerated() {
            let key = SettingKey.base(of: collection.id)
            for other in collections[..<index] where overlaps(collection.base, other.base) {
                let rival = "\(SettingKey.base(of: other.id)) \(quoted(other.base))"
                complain(
                    about: key, "is \(quoted(collection.base)), which overlaps \(rival): records of both would mix"
                )
            }
            guard let meta = settings.remote.meta else { continue }
            if collection.base.isEmpty {
                complain(about: key, "is the root, where only records may stand: set remote.meta to none")
            } else if ["tombstones", "horizon", "nodes"].contains(where: { overlaps(collection.base, "\(meta)/\($0)") })
            {
                complain(
                    about: key,
                    "is \(quoted(collection.base)), which overlaps remote.meta \(quoted(meta)): keep them apart")
            }
        }
    }

    private func overlaps(_ left: String, _ right: String) -> Bool {
        left.isEmpty || right.isEmpty || (left + "/").hasPrefix(right + "/") || (right + "/").hasPrefix(left + "/")
    }
}
