internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// Performs the effects of a collection's machine: requests, streams, a timer, what status and log hear of.
struct EffectPerformer: Sendable {
    let collection: CollectionID
    let context: EngineContext
    let mailbox: Mailbox
    private let notes: NoteTaker
    private let unanswered: Unanswered
    /// Ends the stream of a keyspace that is open.
    private let streams = Streams()
    private let timer = Timer()

    init(collection: CollectionID, context: EngineContext, mailbox: Mailbox, unanswered: Unanswered) {
        self.unanswered = unanswered
        self.collection = collection
        self.context = context
        self.mailbox = mailbox
        notes = NoteTaker(collection: collection, context: context)
    }

    private final class Streams: Sendable {
        let open = Mutex<[Keyspace: Signal]>([:])
    }

    private final class Timer: Sendable {
        let due = Mutex<UInt64?>(nil)
        let changed = Signal()
    }

    func perform(
        _ effect: CollectionMachine.Effect, in group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        switch effect {
        case .note(let note): notes.take(note)
        case .wake(let moment):
            timer.due.withLock { $0 = moment }
            timer.changed.notify()
        case .close(let keyspace): close(keyspace)
        case .send(let request):
            unanswered.sent(request.number, at: context.clock.monotonic())
            group.addTask {
                let answer = await self.answer(to: request)
                self.unanswered.answered(request.number)
                self.mailbox.add(.answered(request: request.number, answer))
            }
        case .listen(let keyspace, let stream, let cursor):
            close(keyspace)
            let end = Signal()
            streams.open.withLock { $0[keyspace] = end }
            group.addTask { await self.listen(to: keyspace, stream, after: cursor, until: end) }
        }
    }

    private func close(_ keyspace: Keyspace) {
        streams.open.withLock { $0.removeValue(forKey: keyspace) }?.notify()
    }

    // MARK: The timer

    /// Wakes the machine when it has asked for it; runs until cancelled.
    func runTimer() async {
        while !Task.isCancelled {
            guard let due = timer.due.withLock({ $0 }) else {
                await timer.changed.wait(for: nil)
                continue
            }
            await untilEitherEnds({ await self.context.clock.sleep(due) }) { await self.timer.changed.wait(for: nil) }
            guard !Task.isCancelled, context.clock.monotonic() >= due else { continue }
            timer.due.withLock { if $0 == due { $0 = nil } }
            mailbox.add(.time)
        }
    }

    // MARK: Requests

    private func answer(
        to request: CollectionMachine.Request
    ) async -> Result<CollectionMachine.Answer, RemoteError> {
        do {
            guard let person = request.person else {
                return .success(try await context.remote.perform(request.call))
            }
            return .success(try await context.acting(as: person) { try await $0.perform(request.call) })
        } catch let error as RemoteError {
            return .failure(error)
        } catch {
            return .failure(RemoteError(.outcomeUnknown, "\(error)"))
        }
    }

    // MARK: Streams

    /// Listens until the stream ends, or `end` is notified. No more is read than there is room for.
    private func listen(to keyspace: Keyspace, _ stream: Int, after cursor: UInt64?, until end: Signal) async {
        await untilEitherEnds({ await end.wait(for: nil) }) { [context, mailbox] in
            let error: RemoteError
            do {
                try await context.remote.listen(to: keyspace, after: cursor) { events in
                    await mailbox.addAndWaitForRoom(.events(keyspace, stream: stream, events))
                }
                error = RemoteError(.streamEnded, "the stream has ended")
            } catch let failure as RemoteError {
                error = failure
            } catch {
                return
            }
            mailbox.add(.streamEnded(keyspace, stream: stream, error))
        }
    }
}
