internal import ArgumentParser
internal import ControlAPI

struct VerifyCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare all records with the remote; exits with 65 if any differs, with --repair if one stays so.",
        discussion: """
            With --repair it exits with 77 where a hold keeps what differs, and with 75 where it is read again only \
            when the pull is resumed.
            """)

    @Flag(help: "Read again what differs, so that both sides become equal.")
    var repair = false

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: VerifyReply = try await session.client.post(
            ControlRoute.verify, repair ? ["repair": "true"] : [:], wait: .seconds(3_600))
        try session.output.show(VerifyAnswer(reply: reply), exitCode: reply.failure?.rawValue ?? 0)
    }
}
