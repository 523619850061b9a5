/// Lets only so many do something at once; the others wait in the order in which they came.
actor Turnstile {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func pass<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        await enter()
        defer { leave() }
        try Task.checkCancellation()
        return try await body()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
