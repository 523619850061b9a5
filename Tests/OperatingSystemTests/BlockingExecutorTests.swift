import Dispatch
import Foundation
import OperatingSystem
import Testing

@Suite(.timeLimit(.minutes(1))) struct BlockingExecutorTests {
    @Test func `who waits for a disk keeps nobody waiting`() async {
        let (disk, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // More than Swift has threads.
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask(executorPreference: BlockingExecutor("a disk")) {
                    begun.signal()
                    BlockingExecutorTests.wait(for: disk)
                }
            }
            BlockingExecutorTests.wait(for: begun, count)
            await Task { await Task.yield() }.value
            for _ in 0..<count { disk.signal() }
        }
    }

    private static func wait(for semaphore: DispatchSemaphore, _ times: Int = 1) {
        for _ in 0..<times { semaphore.wait() }
    }
}
