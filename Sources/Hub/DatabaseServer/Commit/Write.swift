internal import DatabaseTree
internal import FirebaseWire
internal import SyncModel

/// A write on its way to the disk.
struct Write: Sendable {
    enum Kind: Sendable { case put, patch }

    enum Value: Sendable {
        /// Ready to store; nil deletes.
        case node(Node?)
        /// Has timestamps and no other server values, and is else ready to store.
        case stamped(DraftText)
        /// Has server values, which are filled in when the write is applied.
        case unresolved(WriteValue)

        init(_ value: WriteValue, hasServerValues: Bool) {
            if !hasServerValues {
                self = .node(value.canonicalText.map { Node(canonical: $0) })
            } else if !value.hasIncrement, let draft = value.draftText {
                self = .stamped(draft)
            } else {
                self = .unresolved(value)
            }
        }
    }

    struct Entry: Sendable {
        /// Relative to the write's base.
        let path: WirePath
        let value: Value
    }

    let database: String
    let base: WirePath
    let kind: Kind
    /// One with the root path for a put; several for a patch.
    let entries: [Entry]
    /// What must be stored at the base for the write to happen.
    var condition: WriteCondition?
    let principal: Principal
    /// What the rules say of it, where that was asked before it waits.
    var judgement: Judgement?
    /// Whether what is stored depends on what was there.
    let addsToWhatIsThere: Bool
    /// Whether an entry has or is a priority.
    let hasPriorities: Bool

    /// - Parameter path: may end with ``WireKey/priority``.
    init(put body: PutBody, at path: WirePath, in database: String, by principal: Principal) {
        self.database = database
        base = path.node
        kind = .put
        let place = path.isPriority ? WirePath([.priority]) : .root
        entries = [Entry(path: place, value: Value(body.value, hasServerValues: body.hasServerValues))]
        hasPriorities = body.hasPriorities || path.isPriority
        addsToWhatIsThere = body.hasServerValues && body.value.hasIncrement
        self.principal = principal
    }

    init(patch: PatchBody, at base: WirePath, in database: String, by principal: Principal) {
        self.database = database
        self.base = base
        kind = .patch
        self.principal = principal
        hasPriorities = patch.hasPriorities
        addsToWhatIsThere = patch.hasServerValues && patch.entries.contains { $0.value.hasIncrement }
        entries = patch.entries.map {
            Entry(path: $0.path, value: Value($0.value, hasServerValues: patch.hasServerValues))
        }
    }

    /// More bytes of a patch than this are read some members at a time.
    private static let largePatch = 256 * 1024

    /// Reads the text of a put or a patch; nil where a patch is `null`. Throws a refusal (400) where it can't be stored.
    ///
    /// - Parameter path: of a put may end with ``WireKey/priority``.
    init?(
        _ kind: Kind, _ text: UnsafeBufferPointer<UInt8>, at path: WirePath, in database: String,
        by principal: Principal
    ) throws {
        switch kind {
        case .put: self.init(put: try PutBody(text, at: path), at: path, in: database, by: principal)
        case .patch:
            if text.count > Write.largePatch,
                let write = try Write(largePatch: text, at: path, in: database, by: principal)
            {
                self = write
                return
            }
            guard let patch = try PatchBody(text, base: path) else { return nil }
            self.init(patch: patch, at: path, in: database, by: principal)
        }
    }

    /// A write of values that were read before.
    init(_ order: WriteOrder, in database: String, by principal: Principal) {
        self.database = database
        base = order.base
        kind = order.kind
        self.principal = principal
        hasPriorities = order.entries.contains { $0.path.isPriority || $0.value.hasPriorities }
        addsToWhatIsThere = order.entries.contains { $0.value.hasIncrement }
        entries = order.entries.map {
            Entry(path: $0.path, value: Value($0.value, hasServerValues: $0.value.hasServerValues))
        }
    }

    /// Reads a large patch; nil where only the reader of the whole can say what it is, or what is wrong with it.
    init?(
        largePatch text: UnsafeBufferPointer<UInt8>, at base: WirePath, in database: String, by principal: Principal
    ) throws {
        var (entries, hasPriorities, addsToWhatIsThere) = ([Entry](), false, false)
        let isRead = PatchBody.forEachRun(text, base: base) { patch in
            let part = Write(patch: patch, at: base, in: database, by: principal)
            entries += part.entries
            hasPriorities = hasPriorities || part.hasPriorities
            addsToWhatIsThere = addsToWhatIsThere || part.addsToWhatIsThere
        }
        guard isRead else { return nil }
        self.database = database
        self.base = base
        kind = .patch
        self.entries = try PatchBody.ordered(entries, \.path)
        self.principal = principal
        self.hasPriorities = hasPriorities
        self.addsToWhatIsThere = addsToWhatIsThere
    }
}

extension PutBody {
    /// Reads what is to be stored at `path`, which may be the place of a priority.
    init(_ text: UnsafeBufferPointer<UInt8>, at path: WirePath) throws(Refusal) {
        self = path.isPriority ? try PutBody(priority: text) : try PutBody(text, depth: path.keys.count)
    }
}

/// What a write is to store, without who sends it.
struct WriteOrder: Sendable {
    typealias Entry = (path: WirePath, value: WriteValue)

    var kind: Write.Kind
    var base: WirePath
    /// Relative to the base; one with the root path, or that of a priority, for a put.
    var entries: [Entry]

    init(_ kind: Write.Kind, at base: WirePath, _ entries: [Entry]) {
        self.kind = kind
        self.base = base
        self.entries = entries
    }

    /// - Parameter path: may end with ``WireKey/priority``.
    init(put body: PutBody, at path: WirePath) {
        self.init(.put, at: path.node, [(path.isPriority ? WirePath([.priority]) : .root, body.value)])
    }

    init(patch: PatchBody, at base: WirePath) {
        self.init(.patch, at: base, patch.entries.map { ($0.path, $0.value) })
    }
}
