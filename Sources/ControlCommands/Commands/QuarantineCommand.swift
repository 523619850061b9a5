internal import ArgumentParser
internal import ControlAPI

struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine", abstract: "List, retry or drop items that could not be processed.",
        subcommands: [QuarantineListCommand.self, QuarantineRetryCommand.self, QuarantineDropCommand.self],
        defaultSubcommand: QuarantineListCommand.self
    )
}

struct QuarantineListCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the items.")

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let items: [QuarantineReply] = try await session.client.all(ControlRoute.quarantine)
        try session.output.show(QuarantineAnswer(items: items, now: .now()))
    }
}

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
