internal import ArgumentParser
internal import ControlAPI

struct HookListCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the hooks, how they are, and how far behind.")

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let page: Page<HookReply> = try await session.client.get(ControlRoute.hooks)
        try session.output.show(HooksAnswer(hooks: page.items, now: .now()))
    }
}
