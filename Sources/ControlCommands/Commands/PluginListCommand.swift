internal import ArgumentParser
internal import ControlAPI

struct PluginListCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the plugins, how they are, and what they could do to this machine.")

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let page: Page<PluginReply> = try await session.client.get(ControlRoute.plugins)
        try session.output.show(PluginsAnswer(plugins: page.items, now: .now()))
    }
}
