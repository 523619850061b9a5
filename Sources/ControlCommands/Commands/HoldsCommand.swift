internal import ArgumentParser
internal import ControlAPI

struct HoldsCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "holds", abstract: "Show operations that are held until you approve or reject them."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try session.output.show(HoldsAnswer(holds: try await session.client.all(ControlRoute.holds), now: .now()))
    }
}
