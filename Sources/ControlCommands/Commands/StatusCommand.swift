internal import ArgumentParser
internal import ControlAPI

struct StatusCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how the daemon and its collections are."
    )

    @Flag(help: "Go on, and show it anew every second.")
    var watch = false

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try session.output.show(StatusAnswer(reply: try await session.client.status(), now: .now()))
        while watch {
            try await Task.sleep(for: .seconds(1))
            let status = try await session.client.status()
            try session.output.startOver()
            try session.output.show(StatusAnswer(reply: status, now: .now()))
        }
    }
}
