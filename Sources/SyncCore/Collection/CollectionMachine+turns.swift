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

    /// What has waited for its time goes on.
    mutating func takeTurns(at now: UInt64) {
        for id in rewrites.rested(at: now) + people.rested(at: now) { queue.append(id) }
        for id in paused.contains(.pull) ? [] : goneSecondKeys.take(at: now) { hint(id, Hint()) }
        guard !turns.isEmpty else { return }
        for id in turns.filter({ $0.value <= now }).keys.sorted() {
            turns[id] = nil
            ownTurns.insert(id)
            queue.append(id)
        }
    }
}
