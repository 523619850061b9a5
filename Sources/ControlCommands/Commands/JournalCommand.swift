internal import ArgumentParser
internal import ControlAPI
internal import OperatingSystem

struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "Work with the journal file.",
        subcommands: [JournalVerifyCommand.self, JournalStatCommand.self, JournalReplayCommand.self]
    )
}
