internal import OperatingSystem
internal import Synchronization

/// Reads a journal as it grows, by folder watches; it is not polled.
///
/// Every complete line is delivered once, in order, through everything that rotation does to files; after a restart with
/// a committed position it goes on behind the last committed line. A line without its end waits.
///
/// - A renamed file is read to its end, also what is appended while the path names nothing or an empty file, and once
///   more when the new file has its first bytes; then the new one is begun, and what is still written to the old one is
///   read beside it (``LeftJournals``). After a restart it is found by inode and birth, and files that came and went in
///   between are read in their order, if their names say that they were journals.
/// - A file that was copied and emptied is read to its end in the copy. Emptied without a copy it begins anew.
/// - What was consumed and is now different, or cut, is ``JournalEvent/rewritten(reason:present:)``. A file cut below
///   the consumed end counts as new content only when it begins otherwise than before: what remains of a cut file can't
///   be proven old, and is never guessed to be. Both ends are compared before each reading, what lies between in the
///   background (``Recheck``), and once more before a file is left for the next one.
package final class JournalTail: Sendable {
    /// Where to begin.
    package struct Start: Sendable {
        /// The last position that was committed; nil for the start of the journal.
        package var position: JournalPosition?
        /// Nothing is read before a person has decided: the tail only watches.
        package var isHeld = false
        /// What was there before anybody watched; nil for all that is there when the reading begins.
        package var backlog: JournalBacklog?

        package init(_ position: JournalPosition?, isHeld: Bool = false, backlog: JournalBacklog? = nil) {
            (self.position, self.isHeld, self.backlog) = (position, isHeld, backlog)
        }
    }

    private let path: String
    private let start: Start
    private let pace: CheckPace
    private let mostLines: @Sendable () -> Int
    private let state = Mutex(State())

    private struct State {
        var isStopped = false
        var watch: DirectoryWatch?
        var catchingUp: [AsyncStream<Void>.Continuation] = []
    }

    /// - Parameter mostLines: how many lines the next batch may have, at least one; it has fewer where the tail has reasons of
    ///   its own.
    package init(
        path: String, from start: Start, pace: CheckPace = .init(), mostLines: @escaping @Sendable () -> Int = { .max }
    ) {
        self.path = path
        self.start = start
        self.pace = pace
        self.mostLines = mostLines
    }

    /// Makes ``run(_:)`` return.
    package func stop() {
        let watch = state.withLock { state in
            state.isStopped = true
            return state.watch
        }
        watch?.hint()
    }

    /// Looks at the files now; returns when all lines that were complete when this was called have been handled, when
    /// the caller is cancelled, or when nothing runs. What a person is asked about is not waited for.
    package func catchUp() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let watch = state.withLock { state in
            if state.watch != nil { state.catchingUp.append(continuation) }
            return state.watch
        }
        guard let watch else { return }
        watch.hint()
        for await _ in stream {}
    }

    private func finish(_ waiting: [AsyncStream<Void>.Continuation]) {
        for continuation in waiting { continuation.finish() }
    }

    private func takeCatchingUp() -> [AsyncStream<Void>.Continuation] {
        state.withLock { state in
            defer { state.catchingUp = [] }
            return state.catchingUp
        }
    }

    /// Hands every event to `handler`, one after the other, until cancelled or stopped; then it returns.
    ///
    /// The handler commits a batch together with its position. What it throws ends the run. Throws a ``SystemError``
    /// where folders can't be watched. To be called once.
    package func run(_ handler: @Sendable (JournalEvent) async throws -> Void) async throws {
        try await run(preparing: { $0 }, handler, settling: { _ in })
    }

    /// The same with what `prepare` makes of each event, and what `settle` makes of what the handler gives: while an event is
    /// handled, the next one is read and prepared, and none further, and the one before it is settled. All before it are
    /// settled when an event is handled that is no batch, and nothing is left to settle when this returns.
    package func run<Prepared: Sendable, Handled: Sendable>(
        preparing prepare: (JournalEvent) -> Prepared, _ handler: @Sendable (Prepared) async throws -> Handled,
        settling settle: @Sendable (Handled) async throws -> Void
    ) async throws {
        let watch = try DirectoryWatch()
        state.withLock { $0.watch = watch }
        var waiting: [AsyncStream<Void>.Continuation] = []
        defer {
            state.withLock { $0.watch = nil }
            finish(waiting + takeCatchingUp())
        }
        try watch.watch(folders: JournalPaths(path: path).folders)
        var follower = JournalFollower(path: path, resumingAt: start, pace: pace, mostLines: mostLines)
        try await settle(handler(prepare(.watching)))
        var hints = watch.hints.makeAsyncIterator()
        while !isOver {
            waiting += takeCatchingUp()
            try await follow(&follower, watch, prepare, handler, settle)
            // What happened in a place that was not watched is looked for once more.
            if try watch.watch(folders: follower.folders) { continue }
            if !follower.isLeaving {
                finish(waiting)
                waiting = []
            }
            let delay = follower.delayOfCheck(now: .now)
            if delay != .zero, await !something(happens: &hints, watch, within: delay) { return }
            follower.check(now: .now)
        }
    }

    private var isOver: Bool { Task.isCancelled || state.withLock { $0.isStopped } }

    /// Waits for a hint, or until `delay` is over; false when there will be none any more.
    private func something(
        happens hints: inout AsyncStream<Void>.Iterator, _ watch: DirectoryWatch, within delay: Duration?
    ) async -> Bool {
        guard let delay else { return await hints.next() != nil }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { if (try? await Task.sleep(for: delay)) != nil { watch.hint() } }
            defer { group.cancelAll() }
            return await hints.next() != nil
        }
    }

    /// Hands over all there is to say; when it returns, whatever comes later makes a hint.
    private func follow<Prepared: Sendable, Handled: Sendable>(
        _ follower: inout JournalFollower, _ watch: DirectoryWatch, _ prepare: (JournalEvent) -> Prepared,
        _ handler: @Sendable (Prepared) async throws -> Handled, _ settle: @Sendable (Handled) async throws -> Void
    ) async throws {
        func ready(_ event: JournalEvent) -> (isBatch: Bool, prepared: Prepared) { (event.isBatch, prepare(event)) }
        @Sendable func settleAny(_ handled: Handled?) async throws { if let handled { try await settle(handled) } }
        var watched: [ReadableFile] = []
        repeat {
            // Armed before the files are read to their ends: nothing falls between.
            watched = follower.files
            try watch.watch(files: watched)
            var next = isOver ? nil : follower.next().map(ready)
            var unsettled: Handled?
            while !isOver, let event = next {
                if !event.isBatch {
                    try await settleAny(unsettled)
                    unsettled = nil
                }
                let before = unsettled
                async let handled = handler(event.prepared)
                async let settled: Void = settleAny(before)
                next = follower.next().map(ready)
                do {
                    try await settled
                } catch {
                    // What was begun is ended.
                    try? await settle(handled)
                    throw error
                }
                unsettled = try await handled
            }
            try await settleAny(unsettled)
        } while !isOver && !follower.files.elementsEqual(watched, by: ===)
    }
}

extension JournalEvent {
    fileprivate var isBatch: Bool { if case .batch = self { true } else { false } }
}
