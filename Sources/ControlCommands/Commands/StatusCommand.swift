internal import ArgumentParser
internal import ControlAPI

struct StatusCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of the daemon and its collections."
    )

    @Flag(help: "Refresh every second, until interrupted.")
    var watch = false

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try session.output.show(StatusAnswer(reply: try await session.client.status(), now: .now()))
        while watch {
            try await Task.sleep(for: .seconds(1))
            let status = try await session.client.status()
            try session.output.clear()
            try session.output.show(StatusAnswer(reply: status, now: .now()))
        }
    }
}
