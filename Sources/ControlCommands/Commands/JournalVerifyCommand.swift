internal import ArgumentParser
internal import ControlAPI

struct JournalVerifyCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check every line of a journal; exits with 65 if any is invalid."
    )

    @Argument(help: "The journal file (default: the daemon's journal); - is standard input.")
    var file: String?

    @Option(help: ArgumentHelp("The same as the argument.", valueName: "path"))
    var journal: String?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        var check = JournalCheck(await session.keyTemplates())
        let path = try await session.readJournal(file ?? journal) { check.read($0) }
        let code = check.bad.isEmpty ? 0 : CommandFailure.Code.badData.rawValue
        try session.output.show(JournalVerifyAnswer(file: path, check: check), exitCode: code)
    }
}
