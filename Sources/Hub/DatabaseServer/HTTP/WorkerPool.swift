internal import NIOPosix

/// Runs what may take long on threads of its own, so that short requests never wait for it.
///
/// Not on a concurrent dispatch queue: that shares its threads, one for each core, with all tasks.
enum WorkerPool {
    /// A text of more bytes is read here.
    private static let long = 1 << 20

    /// Whether a text of so many bytes is read here.
    static func isLong(_ bytes: Int) -> Bool { bytes > long }

    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    /// Runs what reads a text of so many bytes: here where it is long, else at once.
    static func read<Result: Sendable>(
        bytes: Int, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        isLong(bytes) ? try await run(body) : try body()
    }
}
