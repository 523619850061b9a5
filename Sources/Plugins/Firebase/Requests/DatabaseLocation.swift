internal import FirebaseWire
internal import FoundationEssentials
internal import PluginKit
internal import SyncModel

/// Where a database is, and where in it each keyspace stands. Holds no secret.
struct DatabaseLocation: Sendable {
    /// One name and value of a URL's query, not yet encoded.
    struct QueryItem: Hashable, Sendable {
        var name: String
        var value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        var encoded: String { "\(PercentEncoding.encoded(name))=\(PercentEncoding.encoded(value))" }
    }

    /// Scheme, host and port: `https://host`, `http://127.0.0.1:9000`.
    let origin: String
    let isEncrypted: Bool
    let isThisMachine: Bool
    /// Whether it is one of Firebase's own.
    let isGoogles: Bool
    private let namespace: String?
    /// Without slashes at their ends, like ``meta``.
    private let bases: [CollectionID: String]
    private let depths: [CollectionID: Int]
    private let meta: String?

    init(_ settings: FirebaseSettings) throws(RemoteSettingsError) {
        guard let parts = URLComponents(string: settings.url), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.encodedHost, !host.isEmpty,
            ServerPort.isUsable(in: settings.url)
        else {
            throw RemoteSettingsError(
                "remote.url is no http or https address: write https://HOST or http://HOST:PORT")
        }
        guard parts.user == nil, parts.password == nil else {
            throw RemoteSettingsError("remote.url holds a user or password: remove it and set remote.credential")
        }
        guard parts.path.isEmpty || parts.path == "/" else {
            throw RemoteSettingsError(
                "remote.url has the path \(parts.path): put it into the base of the collections")
        }
        let items = parts.queryItems ?? []
        guard items.allSatisfy({ $0.name == "ns" }), items.count <= 1 else {
            throw RemoteSettingsError("remote.url has a query: only ?ns=NAME is understood")
        }
        origin = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        isEncrypted = scheme == "https"
        isThisMachine = DatabaseAddress.isThisMachine(host)
        isGoogles = [".firebaseio.com", ".firebasedatabase.app"].contains { host.lowercased().hasSuffix($0) }
        namespace = settings.namespace ?? items.first?.value
        bases = settings.bases.mapValues(DatabaseLocation.trimmed)
        depths = settings.depths
        meta = settings.meta.map(DatabaseLocation.trimmed)
    }

    var keepsTombstones: Bool { meta != nil }

    /// The path of a keyspace, without slashes at its ends; "" is the root.
    func path(of keyspace: Keyspace) throws(RemoteError) -> String {
        switch keyspace {
        case .records(let collection):
            return base(of: collection)
        case .tombstones(let collection):
            return try path(inMeta: "tombstones/\(key(of: collection))")
        }
    }

    /// A path below `<meta>`.
    func path(inMeta rest: String) throws(RemoteError) -> String {
        guard let meta else { throw RemoteError(.refused, "this remote keeps no tombstones: remote.meta is none") }
        return DatabaseLocation.joined(meta, rest)
    }

    /// What stands for a collection's base below `<meta>`.
    func key(of collection: CollectionID) -> String { MetaKey.of(base: base(of: collection)) }

    /// The collection whose base a key below `<meta>` stands for; nil where no collection of this remote has it.
    func collection(ofKey key: String) -> CollectionID? {
        if let named = bases.keys.first(where: { self.key(of: $0) == key }) { return named }
        return CollectionID(key).flatMap { bases[$0] == nil ? $0 : nil }
    }

    private func base(of collection: CollectionID) -> String { bases[collection] ?? collection.name }

    /// Where a keyspace stands, for whoever writes many of its keys.
    struct Place {
        /// Without slashes at its ends; "" is the root.
        let path: String
        fileprivate let depth: Int

        /// Refuses what can't lead to an entry.
        func check(_ key: String) throws(RemoteError) {
            // Nearly all keys are without one.
            let slashes = key.utf8.offset(of: UInt8(ascii: "/")).map { _ in key.utf8.count { $0 == UInt8(ascii: "/") } }
            // Between slashes stands something.
            let isWhole = slashes.map { key.pieces(between: "/").count == $0 + 1 } ?? !key.isEmpty
            guard isWhole, slashes ?? 0 < depth else {
                throw RemoteError(.refused, "\"\(key)\" can't be a key: a key is not empty and has no slash")
            }
        }

        func path(of key: String) throws(RemoteError) -> String {
            try check(key)
            return DatabaseLocation.joined(path, key)
        }
    }

    func place(of keyspace: Keyspace) throws(RemoteError) -> Place {
        Place(path: try path(of: keyspace), depth: depth(of: keyspace))
    }

    func path(of key: String, in keyspace: Keyspace) throws(RemoteError) -> String {
        try place(of: keyspace).path(of: key)
    }

    /// How many keys, one below the other, lead to an entry of a keyspace.
    func depth(of keyspace: Keyspace) -> Int {
        switch keyspace {
        case .records(let collection): depths[collection] ?? 1
        case .tombstones: 1
        }
    }

    func url(_ path: String, _ query: [QueryItem]) -> String {
        var items = query
        if let namespace { items.append(QueryItem("ns", namespace)) }
        let text = items.map(\.encoded).joined(separator: "&")
        return origin + URLPath.resource(path) + (text.isEmpty ? "" : "?" + text)
    }

    private static func joined(_ base: String, _ rest: String) -> String { base.isEmpty ? rest : "\(base)/\(rest)" }

    private static func trimmed(_ path: String) -> String { path.split(separator: "/").joined(separator: "/") }
}
