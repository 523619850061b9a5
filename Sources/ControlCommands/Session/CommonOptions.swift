internal import ArgumentParser

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon's control socket.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// The socket to talk to.
    var socketPath: String { DefaultPaths().socket(chosen: socket) }

    /// The arguments with the options before the command moved behind it, where the command reads them.
    ///
    /// Unchanged where anything else than `--socket`, `--json` and `--journal` stands there, or no command at all.
    static func normalized(_ arguments: [String]) -> [String] {
        var command = arguments.startIndex
        while command < arguments.endIndex, let length = length(of: arguments[command]) { command += length }
        guard command < arguments.endIndex, !arguments[command].hasPrefix("-") else { return arguments }
        // What stands behind `--` is no option, whatever it looks like.
        let end = arguments[command...].firstIndex(of: "--") ?? arguments.endIndex
        return Array(arguments[command..<end] + arguments[..<command] + arguments[end...])
    }

    /// How many arguments an option takes that may stand before the command; nil where it is none of them.
    private static func length(of argument: String) -> Int? {
        switch argument {
        case "--json": 1
        case "--socket", "--journal": 2
        default: argument.hasPrefix("--socket=") || argument.hasPrefix("--journal=") ? 1 : nil
        }
    }
}
