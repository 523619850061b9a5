internal import JSONText
internal import SyncModel

/// An app puts a deleted record back again and again, just as it was.
struct StaleWriter: HoldRule {
    /// How often in a row it is removed without a question.
    static let most = 3

    /// Raises the hold where `state` is one time too many.
    static func raise(ifNeeded state: RecordState, in book: some RecordBook, _ context: BookContext) throws {
        guard state.timesPutBack > most, state.known.isDeleted, let remote = state.remote else { return }
        if let stamp = remote.stamp, let deletion = state.known.deletion, stamp > deletion { return }
        guard try !book.isHeld(state.key) else { return }
        let reason = "an app has put \(state.key.id) back \(state.timesPutBack) times after it was deleted"
        var hold = Hold(.staleWriter, .push, reason: reason, since: context.wall)
        hold.collection = state.key.collection
        hold.record = state.key.id
        try book.attach(state.key, to: try book.raise(hold), payload: remote.content.text, context)
    }

    /// Whether there is nothing to ask about a record any more: the app has deleted it itself, or has made something else of
    /// it, which is an edit.
    static func isOver(_ state: RecordState) -> Bool { state.remote == nil || state.view != nil }

    func approval(of hold: Hold) -> String { "removes the record from the remote again" }

    func rejection(of hold: Hold) -> String { "takes the record back, as the app has written it" }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        if record.state.view != nil { return approved ? "stays: it is there again" : "kept as it is" }
        return approved ? "removed from the remote again" : "taken back, as the app has written it"
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held {
            try decision.change(record.key) { state, _, _ in
                state.timesPutBack = 0
                return Outcome()
            }
        }
        return .none
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held {
            try decision.change(record.key) { state, clock, context in
                // Another node may have removed it meanwhile.
                let shown = state.remote?.content ?? record.payload.map(Content.init(canonicalText:))
                guard let content = shown, !state.isEdited(since: record) else { return Outcome() }
                let now = decision.applier.time.now(over: state, &clock)
                return state.edited(
                    .create(content.fields), at: now, context.rules, clock: &clock, wall: context.wall)
            }
        }
        return .none
    }
}
