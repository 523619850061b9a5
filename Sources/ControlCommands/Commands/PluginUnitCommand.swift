internal import ArgumentParser

struct PluginUnitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unit", abstract: "Print the units that run a plugin confined, for systemd.",
        discussion: """
            The plugin then runs as a user of its own, sees no home and no state, and is started when it is called. What is \
            printed says which file each part belongs into, and what the configuration needs.
            """)

    @Argument(help: "The plugin's name in the configuration.")
    var name: String

    @OptionGroup var common: CommonOptions

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments; /usr/libexec/moviesync/NAME.")
    var command: [String] = []

    mutating func validate() throws {
        // The parser takes all that follows the name for the program.
        if command.first == "--json" {
            common.json = true
            command.removeFirst()
        }
        command = try program(of: command)
        guard PluginUnit.isName(name) else {
            throw ValidationError("'\(name)' is no name: use up to 40 of a-z, 0-9 and -, a letter first")
        }
        guard command.first?.hasPrefix("/") ?? true else {
            throw ValidationError("'\(command[0])' is no absolute path, and systemd needs one")
        }
    }

    func run() async throws {
        let unit = PluginUnit(name: name, command: command.isEmpty ? ["/usr/libexec/moviesync/\(name)"] : command)
        try Output(json: common.json).show(PluginUnitAnswer(reply: .init(text: unit.text)))
    }
}

/// The text of units.
struct PluginUnitAnswer: Answer {
    struct Reply: Encodable {
        var text: String
    }

    var reply: Reply

    func text(_ style: Style) -> String { reply.text }
}
