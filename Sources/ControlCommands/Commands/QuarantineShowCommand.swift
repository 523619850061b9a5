internal import ArgumentParser
internal import ControlAPI

struct QuarantineShowCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all that is known of an item, its raw line included.")

    @Argument(help: "The number of the item.")
    var id: Int64

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let detail: QuarantineDetailReply = try await session.client.get("\(ControlRoute.quarantine)/\(id)")
        try session.output.show(QuarantineDetailAnswer(reply: detail, now: .now()))
    }
}
