internal import DatabaseTree
internal import FirebaseWire
internal import JSONText
internal import SecurityRules
internal import SyncModel

extension Simulation {
    /// Why a text can't be read as security rules; nil where it can.
    package static func fault(ofRules text: [UInt8]) -> (line: Int, column: Int, message: String)? {
        do throws(RulesError) {
            _ = try Ruleset(text)
            return nil
        } catch {
            return (error.line, error.column, error.message)
        }
    }
}

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
    /// How many keys, one below the other, lead to a record.
    private let recordDepth: Int
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

    init(rules: [UInt8]?, recordDepth: Int) throws {
        self.rules = try rules.map { text throws in try Ruleset(text) }
        self.recordDepth = recordDepth
    }

    // MARK: Places

    static func path(of keyspace: Keyspace) -> WirePath {
        switch keyspace {
        case .records(let id): WirePath([WireKey(unchecked: id.name)])
        case .tombstones(let id):
            WirePath(["moviesync", "tombstones", id.name].map { WireKey(unchecked: $0) })
        }
    }

    static func path(of key: String, in keyspace: Keyspace) -> WirePath {
        key.split(separator: "/").reduce(path(of: keyspace)) { $0.appending(WireKey(unchecked: String($1))) }
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

    func depth(of keyspace: Keyspace) -> Int { if case .records = keyspace { recordDepth } else { 1 } }

    /// The keys of all that stands in a keyspace, in the database's order.
    func keys(in keyspace: Keyspace) -> [String] {
        root.value(at: SimulatedDatabase.path(of: keyspace)).map { keys(below: $0, depth(of: keyspace)) } ?? []
    }

    /// What should hold entries and is a mere value stands for one itself.
    private func keys(below node: Node, _ levels: Int) -> [String] {
        var children: [(WireKey, Node)] = []
        node.forEachChild { key, child in
            children.append((key, child))
            return true
        }
        return children.sorted { WireKey.precedesInKeyOrder($0.0, $1.0) }.flatMap { key, child in
            let below = levels > 1 ? keys(below: child, levels - 1) : []
            return below.isEmpty ? [key.text] : below.map { "\(key.text)/\($0)" }
        }
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

    /// All is as it was when `copy` was made.
    ///
    /// - Parameter inView: whether those who listen are told; else they hear nothing any more.
    func goBack(to copy: Root, inView: Bool) {
        let before = root
        root = copy
        writes += 1
        if !inView { listeners = [] }
        for listener in listeners { listener.note([.root], before, self) }
    }

    private static func parsed(_ text: [UInt8], depth: Int) throws -> PutBody {
        try text.withUnsafeBufferPointer { try PutBody($0, depth: depth) }
    }
}
