internal import ArgumentParser
internal import ControlAPI

struct UndoCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back what was changed in a span of time, as new edits.",
        discussion: "What somebody has changed again since is left as it is, and listed.")

    @Option(
        help: ArgumentHelp("The begin: a time like 2026-11-20T20:15:00Z, or how long ago, like 2h.", valueName: "time"))
    var since: PastMoment

    @Option(help: ArgumentHelp("The end; now if not given.", valueName: "time"))
    var until: PastMoment?

    @Option(help: ArgumentHelp("Only what this node did (the beginning of its id), or programs without stamps: app."))
    var from: String?

    @Flag(help: "Only show what would change.")
    var dryRun = false

    @Flag(help: "Delete without a hold, however many records it is.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let order = UndoOrder(
            since: since.moment, until: until?.moment, from: from, dryRun: dryRun, yes: yes)
        let reply: UndoReply = try await session.client.post(ControlRoute.undo, body: order, wait: .seconds(600))
        let code = reply.holds.isEmpty ? 0 : CommandFailure.Code.notAllowed.rawValue
        try session.output.show(UndoAnswer(reply: reply), exitCode: code)
    }
}
