internal import ArgumentParser
internal import ControlAPI

struct QuarantineDropCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "drop", abstract: "Discard items.")

    @OptionGroup var selection: QuarantineSelection
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        for id in try await selection.numbers(session.client) {
            let reply: DoneReply = try await session.client.post("\(ControlRoute.quarantine)/\(id)/drop")
            try session.output.show(DoneAnswer("item \(id) is dropped", reply: reply))
        }
    }
}
