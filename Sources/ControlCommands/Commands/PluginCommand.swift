internal import ArgumentParser

struct PluginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "See, restart, try and confine plugins in other processes.",
        subcommands: [
            PluginListCommand.self, PluginRestartCommand.self, PluginTestCommand.self, PluginUnitCommand.self,
        ],
        defaultSubcommand: PluginListCommand.self
    )
}
