internal import ArgumentParser
internal import ControlAPI

struct PluginRestartCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart", abstract: "Start a plugin anew, also one that is down.")

    @Argument(help: "The plugin's name in the configuration.")
    var name: String

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let known: Page<PluginReply> = try await session.client.get(ControlRoute.plugins)
        guard known.items.contains(where: { $0.name == name }) else {
            throw CommandFailure(ControlError.unknownPlugin(name))
        }
        let reply: DoneReply = try await session.client.post("\(ControlRoute.plugins)/\(name)/restart")
        try session.output.show(DoneAnswer("the plugin \(name) is started anew", reply: reply))
    }
}
