internal import ControlAPI
internal import LocalStore
internal import SyncModel
internal import Synchronization

/// Those who follow the change feed live: each reads from the store at its own pace.
final class LiveReaders: Sendable {
    private let waiters = SignalGroup()

    /// Tells all readers that there are new changes.
    func notify() { waiters.notify() }

    /// The changes after `sequence` and all later ones, until the reader goes away.
    func changes(after sequence: Int64, from store: LocalStore) -> AsyncStream<ChangeReply> {
        let signal = Signal()
        let number = waiters.add(signal)
        let page = Mutex<(after: Int64, changes: ArraySlice<ChangeReply>)>((sequence, []))
        return AsyncStream {
            while !Task.isCancelled {
                if let change = page.withLock({ $0.changes.popFirst() }) { return change }
                let after = page.withLock { $0.after }
                guard let changes = try? await store.read({ try $0.changes(after: after, limit: 200) }) else {
                    return nil
                }
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
