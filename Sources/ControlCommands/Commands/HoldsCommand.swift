internal import ArgumentParser
internal import ControlAPI

struct HoldsCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "holds", abstract: "Show what the daemon refuses to do until you decide."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try session.output.show(HoldsAnswer(holds: try await session.client.all(ControlRoute.holds), now: .now()))
    }
}
