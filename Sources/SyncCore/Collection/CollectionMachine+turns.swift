internal import SyncModel

/// Which node writes first where several could.
extension CollectionMachine {
    /// Whether another node is to write the record first: the one that knows best.
    func isTurnOfOthers<Book>(_ state: RecordState, _ step: Step<Book>) -> Bool {
        guard !ownTurns.contains(state.key.id) else { return false }
        return state.isForeignTurnOfOthers(step.push.node) || doubtful.contains(state.key.id)
    }

    /// An app's write is stamped by the node that knows best, at once; by the others when it is still there later.
    mutating func takeTurn<Book>(_ state: RecordState, _ step: inout Step<Book>) {
        let id = state.key.id
        guard isTurnOfOthers(state, step) else {
            turns[id] = nil
            return
        }
        guard turns[id] == nil else { return }
        let spread = (Double(id.low % 1024) / 1024 + step.time.random).truncatingRemainder(dividingBy: 1)
        turns[id] = step.time.monotonic + 2000 + UInt64(spread * 1500)
    }
}
