internal import JSONText
internal import SyncModel

/// Nearly all of a collection was changed at once by apps without stamps.
struct MassForeignChange: HoldRule {
    /// The most changes that pass without a question, out of this many records.
    static func limit(records: Int) -> Int { max(100, records * 4 / 5) }

    static func raise(
        of collection: CollectionID, live: Int, since now: UInt64, in book: some RecordBook
    ) throws -> Int64 {
        let reason = "apps without stamps have changed \(Hold.countOfRecords) of \(live.grouped) \(collection) at once"
        var hold = Hold(.massForeignChange, .pull, reason: reason, since: now)
        hold.collection = collection
        return try book.raiseOnce(hold)
    }

    func approval(of hold: Hold) -> String { "takes these records as the remote has them" }

    func rejection(of hold: Hold) -> String { "keeps these records as this node has them, and writes them back" }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        guard approved else {
            return record.state.view == nil ? "stays deleted" : "stays as it is here, and is written back"
        }
        if record.state.view == nil, record.wasThere { return "stays deleted" }
        guard let shown = record.shown else { return record.disappearance }
        let own = record.state.view?.fields ?? [:]
        let edited = record.editedSince
        let names = shown.keys.filter { shown[$0] != own[$0] && !edited.contains($0) }.sorted()
        return names.isEmpty ? "stays as it is" : "taken from the remote: " + names.joined(separator: ", ")
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held {
            if let shown = record.payload {
                // What can't be taken is read again, as all of these are.
                if let content = decision.read(shown, of: record.key) { try decision.take(record, content) }
            } else {
                try decision.deleteMissing(record.key)
            }
        }
        return .readAgain(decision.held.map(\.key))
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held {
            if let shown = record.payload {
                let content = decision.read(shown, of: record.key) ?? Content(canonicalText: shown)
                try decision.keep(record.key, over: content)
            } else {
                try decision.keep(record.key, isMissing: true)
            }
        }
        return .none
    }
}
