internal import ControlAPI
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// An order to take changes back, understood.
struct Undo: Sendable {
    private(set) var span: UndoSpan
    let dryRun: Bool
    let yes: Bool
    /// Of a node's id only this beginning is given.
    private let beginning: String?

    /// How many records one transaction changes.
    static let batch = 300

    /// - Parameter now: milliseconds since 1970.
    /// - Throws: `badFrom` or `badSpan` (400).
    init(_ order: UndoOrder, now: UInt64) throws(ControlError) {
        let from = order.from?.lowercased()
        let author = from.flatMap { ChangePast.Author($0) }
        span = UndoSpan(
            since: order.since.milliseconds, until: order.until?.milliseconds ?? now + 1, author: author)
        dryRun = order.dryRun ?? false
        yes = order.yes ?? false
        beginning = author == nil ? from : nil
        if span.since >= span.until { throw .badRequest("badSpan", "the span ends before it begins") }
        guard beginning.map({ (1...16).contains($0.count) && $0.allSatisfy(\.isHexDigit) }) ?? true else {
            throw .badRequest("badFrom", "from is app, or the beginning of a node's id")
        }
    }

    /// Knows the one node that the beginning of an id stands for.
    ///
    /// - Parameter authors: gives the nodes that have changed something in a span.
    /// - Throws: `unknownNode` (404), `ambiguousNode` (409).
    mutating func find(among authors: (UndoSpan) throws -> Set<NodeID>) throws {
        guard let beginning else { return }
        let found = try authors(span).filter { $0.description.hasPrefix(beginning) }
        guard let node = found.first else {
            throw ControlError(
                404, "unknownNode", "no node whose id begins with '\(beginning)' has changed anything in that span")
        }
        guard found.count == 1 else {
            let named = found.map(\.description).sorted().prefix(6).joined(separator: ", ")
            throw ControlError(
                409, "ambiguousNode", "the ids of several nodes begin with '\(beginning)', such as \(named)")
        }
        span.author = .node(node)
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
