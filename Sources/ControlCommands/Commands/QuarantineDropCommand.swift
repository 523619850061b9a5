internal import ArgumentParser
internal import ControlAPI

struct QuarantineDropCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "drop", abstract: "Discard items.")

    @Argument(help: "The numbers of the items.")
    var ids: [Int64]

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        for id in ids {
            let reply: DoneReply = try await session.client.post("\(ControlRoute.quarantine)/\(id)/drop")
            try session.output.show(DoneAnswer("item \(id) is dropped", reply: reply))
        }
    }
}
