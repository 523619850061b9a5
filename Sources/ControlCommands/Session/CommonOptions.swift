internal import ArgumentParser

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon's control socket.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The daemon's configuration file.", valueName: "file"))
    var config: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// Where the daemon has its socket and its journal.
    var paths: DefaultPaths { DefaultPaths(config: config, socket: socket) }
}
