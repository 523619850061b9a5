internal import ArgumentParser
internal import ControlAPI
internal import OperatingSystem

struct JournalVerifyCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check every line of a journal; exits with 65 if any is invalid."
    )

    @Argument(help: "The journal file (default: the daemon's journal).")
    var file: String?

    @Option(help: ArgumentHelp("The same as the argument.", valueName: "path"))
    var journal: String?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let path = await session.editTarget(file ?? journal).journal
        var check = JournalCheck()
        do throws(SystemError) {
            let journal = try ReadableFile(path: path)
            var offset: UInt64 = 0
            while true {
                let chunk = try journal.read(at: offset, count: 1 << 20)
                if chunk.isEmpty { break }
                check.read(chunk)
                offset += UInt64(chunk.count)
            }
        } catch {
            throw CommandFailure(error)
        }
        try session.output.show(JournalVerifyAnswer(file: path, check: check))
        if !check.bad.isEmpty { throw ExitCode(CommandFailure.Code.badData.rawValue) }
    }
}
