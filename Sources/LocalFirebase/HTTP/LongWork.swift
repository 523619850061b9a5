internal import Dispatch

/// Runs what may take long on threads of its own, so that short requests never wait for it.
struct LongWork: Sendable {
    private let queue = DispatchQueue(label: "LocalFirebase.long", attributes: .concurrent)

    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { answer in
            queue.async { answer.resume(with: .init(catching: body)) }
        }
    }
}
