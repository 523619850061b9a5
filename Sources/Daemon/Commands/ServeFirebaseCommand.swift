internal import ArgumentParser
internal import FoundationEssentials
internal import LocalFirebase
internal import Logging
internal import ServiceLifecycle
internal import SystemPackage
internal import Systemd
internal import UnixSignals

/// `moviesyncd serve-firebase`: the embedded server by itself, as a hub of one's own.
struct ServeFirebaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-firebase",
        abstract: "Serve a durable Realtime Database on this machine.",
        usage: """
            moviesyncd serve-firebase [<options>]
            moviesyncd serve-firebase export|import [<options>] <file>
            """,
        discussion: "Prints one line with its address when it is ready; ends with SIGTERM or SIGINT.",
        subcommands: [ExportCommand.self, ImportCommand.self]
    )

    @Option(help: ArgumentHelp("Where to listen; port 0 takes any free one.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: 9000)

    @Option(help: ArgumentHelp("The folder of the data.", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("Security rules in JSON.", valueName: "file"))
    var rules: String?

    func run() async throws {
        try await reportingFailure {
            ProcessConditions.prepare()
            let environment = ProcessInfo.processInfo.environment
            _ = Logs.bootstrap(.init(level: .notice, format: .auto), environment: environment)
            let logger = Logger(label: "moviesyncd")
            let server = try LocalServer.make(
                listen: listen, data: try folder(environment), rules: rules.map(absolute), logger: logger
            )
            StandardOutput.writeLine("listening on \(LocalServer.url(of: server))")
            let notices = ManagerNotices(notifier: SystemNotifier(), logger: logger, isReady: {}, isAlive: {})
            try await ServiceGroup(configuration: .daemon([server, notices], logger: logger)).run()
        }
    }

    private func folder(_ environment: [String: String]) throws -> FilePath {
        if let data { return absolute(data) }
        guard let state = StandardPaths(environment: environment, userID: 0).state else {
            throw Failure(.configuration, "there is no place for the data: set --data or HOME")
        }
        return state.appending("firebase")
    }

    private func absolute(_ path: String) -> FilePath {
        FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path)).lexicallyNormalized()
    }
}
