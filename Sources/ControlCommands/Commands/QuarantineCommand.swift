internal import ArgumentParser
internal import ControlAPI

struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine", abstract: "List, retry or drop items that could not be processed.",
        subcommands: [QuarantineListCommand.self, QuarantineRetryCommand.self, QuarantineDropCommand.self],
        defaultSubcommand: QuarantineListCommand.self
    )
}
