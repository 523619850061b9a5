internal import ArgumentParser
internal import ControlAPI

struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine", abstract: "Show what can't be processed, and try it again or give it up.",
        subcommands: [QuarantineListCommand.self, QuarantineRetryCommand.self, QuarantineDropCommand.self],
        defaultSubcommand: QuarantineListCommand.self
    )
}

struct QuarantineListCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show what can't be processed.")

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let items: [QuarantineReply] = try await session.client.all(ControlRoute.quarantine)
        try session.output.show(QuarantineAnswer(items: items, now: .now()))
    }
}

struct QuarantineRetryCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "retry", abstract: "Try items once more.")

    @Argument(help: "The numbers of the items.")
    var ids: [Int64]

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        for id in ids {
            let reply: DoneReply = try await session.client.post("\(ControlRoute.quarantine)/\(id)/retry")
            try session.output.show(DoneAnswer("\(id) is tried again", reply: reply))
        }
    }
}

struct QuarantineDropCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "drop", abstract: "Give items up.")

    @Argument(help: "The numbers of the items.")
    var ids: [Int64]

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        for id in ids {
            let reply: DoneReply = try await session.client.post("\(ControlRoute.quarantine)/\(id)/drop")
            try session.output.show(DoneAnswer("\(id) is dropped", reply: reply))
        }
    }
}
