internal import DatabaseTree
internal import FirebaseWire
internal import SyncModel

/// A write on its way to the disk.
struct Write: Sendable {
    enum Kind: Sendable { case put, patch }

    struct Entry: Sendable {
        /// Relative to the write's base.
        let path: WirePath
        let value: PendingValue
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

    /// The places that it writes to.
    var places: some Sequence<WirePath> { entries.lazy.map { [base] in base.appending($0.path.node) } }

    /// Whether it has, or may have, timestamps to be filled in.
    var hasTimestamps: Bool { entries.contains { if case .node = $0.value { false } else { true } } }

    /// - Parameter path: may end with ``WireKey/priority``.
    init(put body: PutBody, at path: WirePath, in database: String, by principal: Principal) {
        self.database = database
        base = path.node
        kind = .put
        let place = path.isPriority ? WirePath([.priority]) : .root
        entries = [Entry(path: place, value: PendingValue(body.value, hasServerValues: body.hasServerValues))]
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
            Entry(path: $0.path, value: PendingValue($0.value, hasServerValues: patch.hasServerValues))
        }
    }

    /// Reads the text of a put or a patch; nil where a patch is `null`. Throws a refusal (400) where it can't be stored.
    ///
    /// - Parameter path: of a put may end with ``WireKey/priority``.
    init?(
        _ kind: Kind, _ text: UnsafeBufferPointer<UInt8>, at path: WirePath, in database: String,
        by principal: Principal
    ) throws {
        let isLarge = text.count > LargeValueReader.large
        switch kind {
        case .put where isLarge && !path.isPriority:
            try self.init(largePut: text, at: path, in: database, by: principal)
        case .put: self.init(put: try PutBody(text, at: path), at: path, in: database, by: principal)
        case .patch:
            if isLarge, let patch = try LargePatch(text, base: path) {
                self.init(largePatch: patch, at: path, in: database, by: principal)
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
            Entry(path: $0.path, value: PendingValue($0.value, hasServerValues: $0.value.hasServerValues))
        }
    }

    private init(
        largePut text: UnsafeBufferPointer<UInt8>, at path: WirePath, in database: String, by principal: Principal
    ) throws {
        var reader = LargeValueReader(text)
        self.database = database
        base = path
        kind = .put
        entries = [Entry(path: .root, value: try reader.value(depth: path.keys.count))]
        self.principal = principal
        hasPriorities = reader.hasPriorities
        addsToWhatIsThere = reader.hasIncrement
    }

    private init(largePatch patch: LargePatch, at base: WirePath, in database: String, by principal: Principal) {
        self.database = database
        self.base = base
        kind = .patch
        entries = patch.entries.map { Entry(path: $0.path, value: $0.value) }
        self.principal = principal
        hasPriorities = patch.hasPriorities
        addsToWhatIsThere = patch.hasIncrement
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
    init(put value: WriteValue, at path: WirePath) {
        self.init(.put, at: path.node, [(path.isPriority ? WirePath([.priority]) : .root, value)])
    }

    init(patch: PatchBody, at base: WirePath) {
        self.init(.patch, at: base, patch.entries.map { ($0.path, $0.value) })
    }
}
