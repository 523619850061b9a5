internal import OperatingSystem
internal import Synchronization

/// Reads a journal as it grows, by folder watches and without ever polling.
///
/// Every complete line is delivered once, in order, through everything that rotation does to files; after a restart with
/// a committed position it goes on behind the last committed line. A line without its end waits.
///
/// - A renamed file is read to its end, also what is appended while the path names nothing or an empty file, and once
///   more when the new file has its first bytes; then the new one is begun. After a restart it is found by inode and
///   birth, and files that came and went in between are read in their order, if their names say that they were journals.
/// - A file that was copied and emptied is read to its end in the copy. Emptied without a copy it begins anew.
/// - What was consumed and is now different, or cut, is ``JournalEvent/rewritten(reason:at:)``. A file cut below the
///   consumed end counts as new content only when it begins otherwise than before: what remains of a cut file can't be
///   proven old, and is never guessed to be.
package final class JournalTail: Sendable {
    /// What to do with a journal whose consumed part was rewritten.
    package enum Decision: Hashable, Sendable {
        /// Reads the file from its start, as new content.
        case readAgain
        /// Takes all complete lines that are there now as consumed, and commits that with a batch without lines.
        case skipToEnd
    }

    private let path: String
    private let start: JournalPosition?
    private let state = Mutex(State())

    private struct State {
        var isAsking = false
        var decision: Decision?
        var watch: DirectoryWatch?
        var catchingUp: [AsyncStream<Void>.Continuation] = []
    }

    /// `position` is the last one that was committed; nil reads the journal from its start.
    package init(path: String, resumingAt position: JournalPosition?) {
        self.path = path
        start = position
    }

    /// Answers ``JournalEvent/rewritten(reason:at:)``; when nothing was asked, it does nothing.
    package func decide(_ decision: Decision) {
        let watch = state.withLock { state -> DirectoryWatch? in
            guard state.isAsking else { return nil }
            state.isAsking = false
            state.decision = decision
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

    /// Hands every event to `handler`, one after the other, until cancelled; then it returns.
    ///
    /// The handler commits a batch together with its position; nothing more is read before it returns. What it throws
    /// ends the run. Throws a ``SystemError`` where folders can't be watched. To be called once.
    package func run(_ handler: @Sendable (JournalEvent) async throws -> Void) async throws {
        let watch = try DirectoryWatch()
        state.withLock { $0.watch = watch }
        defer {
            state.withLock { $0.watch = nil }
            finish(takeCatchingUp())
        }
        try watch.watch(folders: JournalPaths(path: path).folders)
        var follower = JournalFollower(path: path, resumingAt: start)
        try await handler(.watching)
        var hints = watch.hints.makeAsyncIterator()
        repeat {
            let waiting = takeCatchingUp()
            defer { finish(waiting) }
            try watch.watch(folders: follower.folders)
            try await follow(&follower, watch, handler)
        } while await hints.next() != nil && !Task.isCancelled
    }

    /// Hands over all there is to say; when it returns, whatever comes later makes a hint.
    private func follow(
        _ follower: inout JournalFollower, _ watch: DirectoryWatch, _ handler: (JournalEvent) async throws -> Void
    ) async throws {
        var watched: [ReadableFile] = []
        repeat {
            // Armed before the files are read to their ends: nothing falls between.
            watched = follower.files
            try watch.watch(files: watched)
            if let decision = state.withLock({ $0.decision.take() }) { follower.decide(decision) }
            while !Task.isCancelled, let event = follower.next() {
                if follower.isAsking { state.withLock { $0.isAsking = true } }
                try await handler(event)
            }
        } while !Task.isCancelled && !follower.files.elementsEqual(watched, by: ===)
    }
}
