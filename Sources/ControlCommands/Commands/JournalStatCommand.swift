internal import ArgumentParser
internal import ControlAPI

struct JournalStatCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Count what the lines of a journal say.")

    @Argument(help: "The journal file (default: the daemon's journal); - is standard input.")
    var file: String?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try session.output.show(try await session.tally(file))
    }
}

struct JournalReplayCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Say what a journal would make of a state that has nothing.",
        discussion: "Nothing is changed, and no daemon is needed. What a collection wants of its fields is not checked."
    )

    @Argument(help: "The journal file (default: the daemon's journal); - is standard input.")
    var file: String?

    @Flag(help: "Change nothing; there is no other way.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard dryRun else {
            throw ValidationError(
                "Give --dry-run; to have a journal applied, append its lines to the daemon's journal.")
        }
    }

    func perform(_ session: Session) async throws {
        var answer = try await session.tally(file)
        answer.isReplay = true
        try session.output.show(answer)
    }
}

extension Session {
    /// Counts what the lines of a journal say.
    fileprivate func tally(_ file: String?) async throws -> JournalTallyAnswer {
        var check = JournalCheck(await keyTemplates(), tally: JournalTally())
        let name = try await readJournal(file) { check.read($0) }
        return JournalTallyAnswer(file: name, check: check, tally: check.tally ?? JournalTally())
    }
}
