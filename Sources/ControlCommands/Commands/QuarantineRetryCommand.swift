internal import ArgumentParser
internal import ControlAPI

struct QuarantineRetryCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "retry", abstract: "Process items again.")

    @OptionGroup var selection: QuarantineSelection
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        for id in try await selection.numbers(session.client) {
            let reply: DoneReply = try await session.client.post("\(ControlRoute.quarantine)/\(id)/retry")
            try session.output.show(DoneAnswer("item \(id) is retried", reply: reply))
        }
    }
}
