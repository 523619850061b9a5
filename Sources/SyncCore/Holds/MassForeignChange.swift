internal import JSONText
internal import SyncModel

/// Nearly all of a collection was changed at once by apps without stamps.
struct MassForeignChange: HoldRule {
    /// The most changes that pass without a question, out of this many records.
    static func limit(records: Int) -> Int { max(100, records * 4 / 5) }

    static func raise(
        of collection: CollectionID, count: Int, live: Int, since now: UInt64, in book: some RecordBook
    ) throws -> Int64 {
        if let existing = try book.waiting(.massForeignChange, collection, .pull) { return existing.number }
        let reason = "apps without stamps have changed \(count) of \(live) \(collection) at once"
        var hold = Hold(.massForeignChange, .pull, reason: reason, since: now)
        hold.collection = collection
        return try book.raise(hold)
    }

    func approval(of hold: Hold) -> String { "takes these records as the remote has them" }

    func rejection(of hold: Hold) -> String { "keeps these records as this node has them, and writes them back" }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        guard approved else { return "stays as it is here, and is written back" }
        guard let shown = record.shown else { return "read again" }
        let own = record.state.view?.fields ?? [:]
        let names = shown.keys.filter { shown[$0] != own[$0] }.sorted()
        return names.isEmpty ? "read again" : "taken from the remote: " + names.joined(separator: ", ")
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        .readAgain(decision.held.map(\.key))
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held {
            guard let shown = record.payload else { continue }
            try decision.keep(record.key, over: Content(canonicalText: shown))
        }
        return .none
    }
}
