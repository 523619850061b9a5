internal import ControlAPI
internal import LocalStore
internal import SyncModel
internal import Synchronization

/// Those who follow the change feed live: each reads from the store at its own pace.
final class LiveReaders: Sendable {
    private let waiters = SignalGroup()

    /// Tells all readers that there are new changes.
    func notify() { waiters.notify() }

    /// The changes after `sequence` and all later ones, until the reader goes away, or is so slow that some of them are not
    /// kept any more: whoever comes again is told so.
    func changes(after sequence: Int64, from store: LocalStore) -> AsyncStream<ChangeReply> {
        let signal = Signal()
        let number = waiters.add(signal)
        let page = Mutex<(after: Int64, changes: ArraySlice<ChangeReply>)>((sequence, []))
        return AsyncStream {
            while !Task.isCancelled {
                if let change = page.withLock({ $0.changes.popFirst() }) { return change }
                let after = page.withLock { $0.after }
                guard let changes = try? await store.read({ try $0.nextChanges(after: after) }) else { return nil }
                if let last = changes.last {
                    page.withLock { $0 = (last.sequence, changes.map { ChangeReply($0) }[...]) }
                } else {
                    await signal.wait(for: nil)
                }
            }
            return nil
        } onCancel: { [waiters] in
            waiters.remove(number)
            signal.notify()
        }
    }
}

extension Transaction {
    /// A page of changes; nil where those that follow `sequence` are not kept any more.
    fileprivate func nextChanges(after sequence: Int64) throws -> [Change]? {
        if let first = try changeBounds()?.first, first > sequence + 1 { return nil }
        return try changes(after: sequence, limit: 200)
    }
}
