internal import ArgumentParser
internal import ControlAPI

struct QuarantineListCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the items.")

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let items: [QuarantineReply] = try await session.client.all(ControlRoute.quarantine)
        try session.output.show(QuarantineAnswer(items: items, now: .now()))
    }
}
