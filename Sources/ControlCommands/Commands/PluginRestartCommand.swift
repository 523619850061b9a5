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
        try await settled(session)
        try session.output.show(DoneAnswer("the plugin \(name) is started anew", reply: reply))
    }

    /// How long it may take to greet.
    private static let patience = Duration.seconds(15)

    /// Returns when the plugin can be called.
    ///
    /// - Throws: ``CommandFailure`` with its reason where it has failed again.
    private func settled(_ session: Session) async throws {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            let page: Page<PluginReply> = try await session.client.get(ControlRoute.plugins)
            guard let plugin = page.items.first(where: { $0.name == name }) else { return }
            switch plugin.state {
            case .idle, .running: return
            case .down, .refused, .resting:
                let reason = plugin.reason.map { ": \($0)" } ?? ""
                throw CommandFailure(
                    .internalFault, "the plugin \(name) was started anew, and is \(plugin.state.rawValue)\(reason)")
            case .starting, .stopping: try await Task.sleep(for: .milliseconds(50))
            }
        }
        throw CommandFailure(
            .tryAgain, "the plugin \(name) was started anew, and has not greeted yet: see moviesync plugin list")
    }
}
