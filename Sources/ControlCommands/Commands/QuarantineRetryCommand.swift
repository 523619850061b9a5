internal import ArgumentParser
internal import ControlAPI

struct QuarantineRetryCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "retry", abstract: "Process items again.")

    @Argument(help: "The numbers of the items.")
    var ids: [Int64]

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        for id in ids {
            let reply: DoneReply = try await session.client.post("\(ControlRoute.quarantine)/\(id)/retry")
            try session.output.show(DoneAnswer("item \(id) is retried", reply: reply))
        }
    }
}
