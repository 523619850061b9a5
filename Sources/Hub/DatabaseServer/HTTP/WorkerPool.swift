internal import NIOPosix

/// Runs what may take long on threads of its own, so that short requests never wait for it.
///
/// Not on a concurrent dispatch queue: that shares its threads, one for each core, with all tasks.
enum WorkerPool {
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
