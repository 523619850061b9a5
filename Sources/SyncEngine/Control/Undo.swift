internal import ControlAPI
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// An order to take changes back, understood.
struct Undo: Sendable {
    let since: UInt64
    let until: UInt64
    let dryRun: Bool
    let yes: Bool
    private var from: String?
    private let rules: @Sendable (CollectionID) -> CollectionRules?

    /// How many records one transaction changes.
    static let batch = 300
    /// More changes of one record than these are not looked at.
    private static let most = 10_000

    /// - Throws: `badFrom` or `badSpan` (400).
    init(_ order: UndoOrder, _ context: EngineContext) throws(ControlError) {
        since = order.since.milliseconds
        until = order.until?.milliseconds ?? context.wall + 1
        dryRun = order.dryRun ?? false
        yes = order.yes ?? false
        from = order.from?.lowercased()
        rules = { context.rules($0) }
        if since >= until { throw .badRequest("badSpan", "the span ends before it begins") }
        let digits = from.map { (1...16).contains($0.count) && $0.allSatisfy(\.isHexDigit) } ?? true
        guard digits || from == "app" else {
            throw .badRequest("badFrom", "from is app, or the beginning of a node's id")
        }
    }

    /// Whether it is limited to a node of whose id only the beginning is given.
    var isOfBeginning: Bool { from.map { $0 != "app" && NodeID($0) == nil } ?? false }

    /// Knows the one node that the beginning of an id stands for.
    ///
    /// - Parameter authors: the nodes that have changed something in the span.
    /// - Throws: `unknownNode` (404), `ambiguousNode` (409).
    mutating func find(among authors: Set<NodeID>) throws(ControlError) {
        guard let from, isOfBeginning else { return }
        let found = authors.map(\.description).filter { $0.hasPrefix(from) }.sorted()
        guard let first = found.first else {
            throw ControlError(
                404, "unknownNode", "no node whose id begins with '\(from)' has changed anything in that span")
        }
        guard found.count == 1 else {
            let named = found.prefix(6).joined(separator: ", ")
            throw ControlError(409, "ambiguousNode", "the ids of several nodes begin with '\(from)', such as \(named)")
        }
        self.from = first
    }

    /// What becomes of a record.
    ///
    /// - Parameter last: the number of its last change, by which one is found that this node has forgotten.
    func plan(_ key: RecordKey, endingWith last: Int64, in transaction: Transaction) throws -> UndoPlan {
        let state = try transaction.record(key).state
        let current = state.view?.fields
        let changes = try transaction.changes(of: key, endingWith: last, limit: Undo.most).filter { since <= $0.at }
        func left(_ reason: String) -> UndoPlan {
            UndoPlan(leaving: current, changes.contains { $0.at < until && isWanted($0.author()) } ? reason : nil)
        }
        guard let rules = rules(key.collection) else { return left("its collection is not enabled") }
        if try transaction.isHeld(key) { return left("a hold names it") }
        return UndoPlan(state, without: changes.reversed(), in: { $0 < until }, by: isWanted, rules.merge)
    }

    private func isWanted(_ author: ChangePast.Author) -> Bool {
        guard let from else { return true }
        return from == "app" ? author == .app : author != .app && author.description.hasPrefix(from)
    }

    /// What people call a record.
    func title(_ key: RecordKey, in transaction: Transaction) throws -> String {
        HeldState(try transaction.record(key).state).title(rules(key.collection)?.titleField ?? "")
    }

    /// What one transaction did.
    struct Batch: Sendable {
        var count = 0
        var deletes: [CollectionID: [RecordID]] = [:]
        var records: [RecordChangeReply] = []
        var left: [UndoReply.Left] = []
        var holds: Set<Int64> = []

        /// - Parameter isHeld: it waits for a person.
        mutating func note(
            _ plan: UndoPlan, _ key: RecordKey, isHeld: Bool, _ title: @autoclosure () throws -> String
        ) rethrows {
            left += plan.left.sorted { $0.key < $1.key }.map {
                .init(collection: key.collection.name, id: key.id.description, field: $0.key, reason: $0.value)
            }
            guard plan.edit != nil else { return }
            count += 1
            if plan.deletes { deletes[key.collection, default: []].append(key.id) }
            guard records.count < ControlRoute.maxNamed else { return }
            var change = RecordChangeReply(
                key, title: try title(), from: plan.current, to: plan.target, unchanged: "")
            if isHeld { change.what = "waits" }
            records.append(change)
        }
    }
}

extension UndoReply {
    mutating func add(_ batch: Undo.Batch) {
        count += batch.count
        deletes += batch.deletes.values.reduce(0) { $0 + $1.count }
        records += batch.records.prefix(ControlRoute.maxNamed - records.count)
        leftCount += batch.left.count
        left += batch.left.prefix(ControlRoute.maxNamed - left.count)
        holds = Set(holds).union(batch.holds).sorted()
    }
}
