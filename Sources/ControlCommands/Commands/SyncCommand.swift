internal import ArgumentParser
internal import ControlAPI

struct SyncCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "sync", abstract: "Push and pull immediately.")

    @Flag(help: "Wait until both sides are equal; --wait=SECONDS sets a time limit.")
    var wait = false

    @Option(help: .hidden)
    var waitSeconds: Double?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard let waitSeconds, !(0...WaitTime.max).contains(waitSeconds) else { return }
        throw ValidationError("--wait takes 0 to \(Int(WaitTime.max)) seconds.")
    }

    func perform(_ session: Session) async throws {
        guard let wait = WaitTime.chosen(flag: wait, seconds: waitSeconds) else {
            try session.output.show(SyncAnswer(reply: try await session.client.post(ControlRoute.sync)))
            return
        }
        let reply = try await SyncCommand.synced(session.client, wait: wait)
        let code = reply.done ? 0 : CommandFailure.Code.tryAgain.rawValue
        try session.output.show(SyncAnswer(reply: reply, isOver: true), exitCode: code)
    }

    /// Waits for the answer, and draws meanwhile how much is left.
    private static func synced(_ client: ControlClient, wait: Duration) async throws -> SyncReply {
        try await withThrowingTaskGroup(of: SyncReply?.self) { group in
            group.addTask {
                try await client.post(ControlRoute.sync, ["wait": wait.secondsText], wait: wait)
            }
            group.addTask {
                await drawProgress(client)
                return nil
            }
            defer { ProgressBar().clear() }
            while let reply = try await group.next() {
                guard let reply else { continue }
                group.cancelAll()
                return reply
            }
            throw CommandFailure(.internalFault, "the daemon did not respond; see its log")
        }
    }

    /// Draws until it is cancelled, or the daemon stops answering.
    private static func drawProgress(_ client: ControlClient) async {
        let bar = ProgressBar()
        var most = 0
        while let status = try? await client.status() {
            most = max(most, status.pending)
            if status.remote.stream == .snapshot {
                let records = status.collections.values.reduce(0) { $0 + $1.records }
                bar.draw("reading the remote: \(Formatted.count(records, "record")) so far")
            } else if most > 0 {
                bar.draw(done: most - status.pending, of: most)
            }
            guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return }
        }
    }
}
