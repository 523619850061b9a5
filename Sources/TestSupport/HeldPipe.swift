internal import Foundation
internal import Glibc

/// A pipe with a name in the file system, which tells whether a program that holds it open still lives.
package final class HeldPipe: Sendable {
    package let path: String
    private let opened: AsyncStream<Void>
    private let released: AsyncStream<Void>

    /// Makes the pipe, and begins to listen at it.
    package init(path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw TooLate("no pipe can be made at \(path)") }
        self.path = path
        let (opened, open) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        self.opened = opened
        self.released = released
        // A thread of its own: opening and reading wait for others.
        Thread.detachNewThread {
            let handle = FileHandle(forReadingAtPath: path)
            open.finish()
            _ = try? handle?.readToEnd()
            release.finish()
        }
    }

    /// Returns when a program has opened it for writing, or the task is cancelled. For one caller.
    package func untilOpened() async { for await _ in opened {} }

    /// Returns when it was opened and no program holds it open any more, or the task is cancelled. For one caller.
    package func untilReleased() async { for await _ in released {} }
}
