internal import ArgumentParser
internal import ControlAPI

struct TopCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Watch what goes through the daemon, each second.",
        discussion: "Goes on until interrupted; with --json, one object a line."
    )

    @Option(help: ArgumentHelp("End after so many looks.", valueName: "n"))
    var count: Int?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard count ?? 1 > 0 else { throw ValidationError("--count is 1 or more.") }
    }

    func perform(_ session: Session) async throws {
        var (before, since) = (try await session.client.status(), ContinuousClock.now)
        var looks = 0
        while looks < count ?? .max {
            try await Task.sleep(for: .seconds(1))
            let (status, now) = (try await session.client.status(), ContinuousClock.now)
            if looks > 0 { try session.output.clear() }
            try session.output.show(
                TopAnswer(before, status, seconds: since.duration(to: now) / .seconds(1), now: .now()))
            (before, since) = (status, now)
            looks += 1
        }
    }
}
