package import Logging
package import SyncModel
package import SystemPackage

/// All that a person can configure, checked and typed: every path is absolute, every word is known, and no two keys
/// contradict each other.
///
/// Two loads of the same file, environment and flags are equal, so that a reload can tell what has changed. No secret
/// is part of it, only the place where one is kept.
package struct Settings: Equatable, Sendable {
    /// The folder of the state, of the change feed and of their lock.
    package var state: FilePath
    /// The file that programs append operations to.
    package var journal: FilePath
    package var socket: FilePath
    /// The enabled collections, in the order they are listed.
    package var collections: [Collection]
    package var remote: Remote
    /// How far in the future an edit may be before it is held.
    package var maxAhead: Duration
    /// How long a tombstone is kept at least.
    package var keepTombstones: Duration
    package var local: Local
    package var log: Log

    /// Where the state's database is.
    package var stateFile: FilePath { state.appending("state.sqlite") }
    /// Where the change feed is.
    package var changeFeed: FilePath { state.appending("changes.jsonl") }
}

extension Settings {
    package struct Collection: Equatable, Sendable {
        package enum Pull: String, CaseIterable, Sendable { case full, incremental }

        package var id: CollectionID
        /// The path in the database, without slashes at its ends; empty for the root.
        package var base: String
        package var pull: Pull
    }

    package struct Remote: Equatable, Sendable {
        package enum Plugin: String, CaseIterable, Sendable { case local, firebase }
        package enum WriteGuard: String, CaseIterable, Sendable { case etag, rules }

        package var plugin: Plugin
        /// The database, as `scheme://host[:port]`; nil only with the plugin `local`.
        package var url: String?
        /// The name of the database where the address does not say it (`?ns=` of an emulator).
        package var namespace: String?
        /// The path of tombstones, horizons and nodes, without slashes at its ends; nil for `none`.
        package var meta: String?
        package var credential: Credential
        package var writeGuard: WriteGuard
        /// More trusted roots, a PEM file that has been read once already.
        package var caFile: FilePath?
    }

    /// How the daemon proves to the remote who it is. The file holds the secret.
    package enum Credential: Equatable, Sendable {
        case none
        case emulator
        case serviceAccount(FilePath)
        case secret(FilePath)
        case idToken(FilePath)
    }

    package struct Log: Equatable, Sendable {
        package enum Format: String, CaseIterable, Sendable { case auto, journald, text, json }

        package var level: Logger.Level
        package var format: Format
    }
}

/// A host and a port to listen on; port 0 takes any free one.
package struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`, an IPv6 address in brackets; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.allSatisfy({ $0.isASCII && !$0.isWhitespace && !"/[]@".contains($0) }) else {
            return nil
        }
        self.init(host: String(host), port: Int(port))
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
