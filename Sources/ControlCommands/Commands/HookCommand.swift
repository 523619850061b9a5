internal import ArgumentParser

struct HookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hook", abstract: "See who is told of changes, and what was not taken.",
        subcommands: [HookListCommand.self, HookFailedCommand.self, HookRetryCommand.self, HookDropCommand.self],
        defaultSubcommand: HookListCommand.self
    )
}
