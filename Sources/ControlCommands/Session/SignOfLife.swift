internal import ControlAPI
internal import OperatingSystem

/// When a daemon that says nothing is asked whether it lives, and how long that answer may take.
///
/// A daemon that moves at all tells its status at once, whatever else it is busy with.
struct SignOfLife: Sendable {
    /// How long it may say nothing; twice as long after each sign, up to ``longest``.
    var after = Duration.seconds(1)
    var within = SignOfLife.patience * 2

    /// How long a daemon that has nothing to wait for may take, on a machine that is not too busy: what the environment
    /// says, else two seconds.
    static let patience: Duration = {
        let seconds = ThisProcess.environment(ConfiguredPlaces.patienceVariable).flatMap { Double($0) } ?? 2
        return .seconds(min(max(seconds.isNaN ? 2 : seconds, 0.1), 3_600))
    }()

    static let longest = Duration.seconds(10)
}

extension ControlClient {
    /// Carries out an exchange, however long it takes, as long as the daemon shows that it lives.
    ///
    /// - Throws: what the exchange throws; a failure of ``CommandFailure/notAnswering(at:_:)`` as soon as the daemon is
    ///   found to hang.
    func attended<Result: Sendable>(
        _ exchange: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await exchange() }
            group.addTask { throw try await untilItHangs() }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    /// Returns when the daemon shows no sign of life, with what to say of it.
    private func untilItHangs() async throws -> CommandFailure {
        var pause = signOfLife.after
        while true {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, SignOfLife.longest)
            guard !(await lives()), case .daemon(let process) = await SilentListener.at(socket) else { continue }
            return .notAnswering(at: socket, process)
        }
    }
}
