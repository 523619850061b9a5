internal import ArgumentParser

/// The names of the commands, those of groups below them, as they are declared.
struct CommandTree: Sendable {
    /// By name; empty for a command that is no group.
    let children: [String: CommandTree]
    /// Whether a group does something by itself, where none of its commands is named.
    let hasDefault: Bool

    static let root = CommandTree(MoviesyncCommand.self)

    private init(_ command: any ParsableCommand.Type) {
        let configuration = command.configuration
        let below = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        var children: [String: CommandTree] = [:]
        for child in below {
            if let name = child.configuration.commandName { children[name] = CommandTree(child) }
        }
        self.children = children
        hasDefault = configuration.defaultSubcommand != nil
    }

    var isGroup: Bool { !children.isEmpty }

    subscript(name: String) -> CommandTree? { children[name] }
}
