internal import ArgumentParser
internal import ControlAPI

struct ConflictsCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "Show resolved conflicts, newest first."
    )

    @Option(help: "The maximum number of conflicts.")
    var limit = 100

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be greater than 0.") }
    }

    func perform(_ session: Session) async throws {
        let conflicts: [ConflictReply] = try await session.client.all(ControlRoute.conflicts, limit: limit)
        try session.output.show(ConflictsAnswer(conflicts: conflicts, now: .now()))
    }
}
