internal import DatabaseTree
internal import FirebaseWire
internal import JSONText
internal import SecurityRules
internal import SyncModel

/// The database of a run: the hub's tree and rules, without a server around them.
final class SimulatedDatabase {
    /// Who writes; rules see it as `auth.uid`.
    enum Writer: Hashable {
        case node(Int)
        case app(Int)

        var name: String {
            switch self {
            case .node(let index): "node\(index)"
            case .app(let index): "app\(index)"
            }
        }
    }

    /// One value on its way to a place; nil removes what is there.
    struct Change {
        var path: WirePath
        var body: [UInt8]?
    }

    private(set) var root = Root("simulation")
    private let numbers = RowNumbers(next: 1)
    private let rules: Ruleset?
    var listeners: [SimulatedListener] = []
    /// Hears of each write that was carried out.
    var committed: (Writer, _ before: Root, _ after: Root) -> Void = { _, _, _ in }
    /// How many writes have changed anything.
    private(set) var writes = 0
    /// How many of them were nodes that said that they are there.
    var announcements = 0
    /// When each node was seen before it last announced itself, in milliseconds since 1970 by the server's clock.
    var seenBefore: [String: UInt64] = [:]
    var writesBesideAnnouncements: Int { writes - announcements }

    init(rules: [UInt8]?) throws { self.rules = try rules.map { text throws in try Ruleset(text) } }

    // MARK: Places

    static func path(of keyspace: Keyspace) -> WirePath {
        switch keyspace {
        case .records(let id): WirePath([WireKey(unchecked: id.name)])
        case .tombstones(let id):
            WirePath(["moviesync", "tombstones", id.name].map { WireKey(unchecked: $0) })
        }
    }

    static func path(of key: String, in keyspace: Keyspace) -> WirePath {
        path(of: keyspace).appending(WireKey(unchecked: key))
    }

    // MARK: Reading

    func value(at path: WirePath) -> JSONValue { SimulatedDatabase.value(root.value(at: path)) }

    static func value(_ node: Node?) -> JSONValue {
        node.flatMap { try? JSONReader.value($0.text) } ?? .null
    }

    func etag(at path: WirePath) -> String { Node.etag(root.value(at: path)).text }

    func entry(_ key: String, in keyspace: Keyspace, withETag: Bool = false) -> RemoteEntry {
        let path = SimulatedDatabase.path(of: key, in: keyspace)
        return EntrySpelling.entry(key, value(at: path), in: keyspace, etag: withETag ? etag(at: path) : nil)
    }

    /// All children of a keyspace, in the database's order of keys.
    func keys(in keyspace: Keyspace) -> [String] {
        var keys: [WireKey] = []
        root.value(at: SimulatedDatabase.path(of: keyspace))?.forEachChild { key, _ in
            keys.append(key)
            return true
        }
        return keys.sorted { WireKey.precedesInKeyOrder($0, $1) }.map(\.text)
    }

    func entries(in keyspace: Keyspace) -> [RemoteEntry] { keys(in: keyspace).map { entry($0, in: keyspace) } }

    // MARK: Writing

    /// Carries out all changes, or throws why none may be.
    func write(_ changes: [Change], by writer: Writer, now: UInt64) throws {
        let before = root
        var after = root
        var rows = RowChanges(numbers)
        var changed: [WirePath] = []
        for change in changes {
            let body = try change.body.map { try SimulatedDatabase.parsed($0, depth: change.path.keys.count) }
            let value = body?.value.resolved(now: Int64(now)) { _ in nil }
            let node = value?.canonicalText.map { Node(canonical: $0) }
            if after.set(change.path, to: node, &rows) { changed.append(change.path) }
        }
        if let rules {
            let auth = JSONValue.object(["uid": .string(writer.name)])
            let check = RuleCheck(rules: rules, auth: auth, now: Int64(now), before: before)
            guard check.allowsWriting(changes.map(\.path), after: after) else {
                throw Refusal(401, "Permission denied")
            }
        }
        root = after
        guard !changed.isEmpty else { return }
        writes += 1
        committed(writer, before, after)
        for listener in listeners { listener.note(changed, before, self) }
    }

    private static func parsed(_ text: [UInt8], depth: Int) throws -> PutBody {
        try text.withUnsafeBufferPointer { try PutBody($0, depth: depth) }
    }
}
