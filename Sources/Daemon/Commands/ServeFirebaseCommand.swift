internal import ArgumentParser
internal import FoundationEssentials
internal import Logging
internal import OperatingSystem
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals

/// `moviesyncd serve-firebase`: the built-in hub by itself, as a hub of one's own.
struct ServeFirebaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-firebase",
        abstract: "Serve a durable Realtime Database on this machine.",
        usage: """
            moviesyncd serve-firebase [<options>]
            moviesyncd serve-firebase export|import [<options>] <file>
            moviesyncd serve-firebase accounts export|import [<options>] <file>
            moviesyncd serve-firebase keys rotate [<options>]
            """,
        discussion: "Prints one line with its address when it is ready; ends with SIGTERM or SIGINT.",
        subcommands: [ExportCommand.self, ImportCommand.self, AccountsCommand.self, KeysCommand.self],
        aliases: ["hub"]
    )

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await reportingFailure {
            ProcessSetup.prepare()
            let environment = ProcessInfo.processInfo.environment
            let logs = Logs.bootstrap(.init(level: .notice, format: .auto), environment: environment)
            let logger = Logger(label: "moviesyncd")
            let server = try LocalServer.make(
                try options.settings(environment), readSecret: { try SecretFile.read(at: $0) }, logger: logger)
            let notices = ServiceNotifications(
                board: StatusBoard(SystemNotifier()) { "running" }, logger: logger,
                isReady: {
                    // Who closed our output does not want to know.
                    try? StandardOutput.writeLine("listening on \(LocalServer.url(of: server))")
                })
            // A terminal that is closed takes with it what runs there.
            let others = logs.isForPeople ? [] : [await HangupService(logger: logger)]
            try await ServiceGroup(
                configuration: .daemon([server, notices] + others, stopsAtHangup: logs.isForPeople, logger: logger)
            ).run()
        }
    }
}
