internal import JSONText
package import SyncModel

/// Which changes are taken back: those that took effect in a span of time, by everybody or by one author.
package struct UndoSpan: Hashable, Sendable {
    /// A record that changed in the span or after it, and the number of its last change.
    package typealias Changed = (key: RecordKey, last: Int64)

    /// When it begins, in milliseconds since 1970.
    package let since: UInt64
    /// The moment after it, in milliseconds since 1970.
    package let until: UInt64
    /// Nil for everybody.
    package var author: ChangePast.Author?

    /// How many changes of one record are read at once.
    private static let page = 10_000

    package init(since: UInt64, until: UInt64, author: ChangePast.Author? = nil) {
        (self.since, self.until, self.author) = (since, until, author)
    }

    /// What becomes of a record. One of a collection that is not enabled, or that a hold names, stays as it is.
    package func plan(
        _ changed: Changed, in book: some RecordBook, _ applier: OperationApplier
    ) throws -> UndoPlan {
        let state = try book.record(changed.key).state
        let changes = try changes(of: changed, in: book)
        func left(_ reason: String) -> UndoPlan {
            let isChanged = changes.contains { $0.at < until && isWanted($0.author()) }
            return UndoPlan(leaving: state.view?.fields, isChanged ? reason : nil)
        }
        guard let rules = applier.rules(changed.key.collection) else { return left("its collection is not enabled") }
        if try book.isHeld(changed.key) { return left("a hold names it") }
        return UndoPlan(state, without: changes.reversed(), in: { $0 < until }, by: isWanted, rules.merge)
    }

    /// All of a record since the span begins, the last one first.
    private func changes(of changed: Changed, in book: some RecordBook) throws -> [Change] {
        var changes: [Change] = []
        while true {
            let page = try book.changes(
                of: changed.key, endingWith: changed.last, before: changes.last?.sequence ?? .max, limit: UndoSpan.page)
            changes += page.filter { since <= $0.at }
            if page.count < UndoSpan.page || page.last.map({ $0.at < since }) ?? true { return changes }
        }
    }

    private func isWanted(_ author: ChangePast.Author) -> Bool { self.author.map { $0 == author } ?? true }

    /// The records that would be deleted.
    package func deletes(
        among changed: [Changed], in book: some RecordBook, _ applier: OperationApplier
    ) throws -> [CollectionID: [RecordID]] {
        var deletes: [CollectionID: [RecordID]] = [:]
        for one in changed where try plan(one, in: book, applier).deletes {
            deletes[one.key.collection, default: []].append(one.key.id)
        }
        return deletes
    }
}
