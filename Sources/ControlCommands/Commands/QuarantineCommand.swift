internal import ArgumentParser
internal import ControlAPI

struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine", abstract: "Show, retry, export or drop items that could not be processed.",
        subcommands: [
            QuarantineListCommand.self, QuarantineShowCommand.self, QuarantineRetryCommand.self,
            QuarantineDropCommand.self, QuarantineExportCommand.self,
        ],
        defaultSubcommand: QuarantineListCommand.self
    )
}
