internal import Dispatch

/// Runs tasks on a thread of its own, one after the other: Swift's threads are as many as processors, and who waits for a disk
/// on one of them keeps others waiting that need none.
package final class BlockingExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: what debuggers call it.
    package init(_ label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
