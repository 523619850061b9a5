internal import ArgumentParser
internal import FoundationEssentials
internal import Logging
internal import OperatingSystem
internal import PluginKit
internal import Systemd

/// `moviesyncd [run]`: the daemon, in the foreground.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Run the daemon (default).")

    @OptionGroup var options: SettingsOptions

    func run() async throws { try await run(adding: []) }

    /// ``run()`` with more collections than those that are built in.
    func run(adding collections: [any CollectionPlugin]) async throws {
        // First of all: this changes the environment, which nobody else may be reading.
        let inherited = InheritedSockets.take()
        try await reportingFailure {
            ProcessSetup.prepare()
            let source = SettingsSource(flags: options.flags, plugins: try .builtIn(adding: collections))
            let plugins = try source.plugins()
            let loaded = try await source.load()
            let logs = Logs.bootstrap(loaded.settings.log, environment: source.environment)
            let logger = Logger(label: "moviesyncd")
            for name in inherited.unused {
                logger.warning(
                    "A socket of the service manager is of no use",
                    metadata: ["event": "socket.unused", "name": "\(name)"])
            }
            let daemon = DaemonProcess(
                source: source, loaded: loaded, plugins: plugins, threshold: logs.threshold,
                inherited: inherited, logger: logger, setLogFormat: logs.setFormat
            )
            do {
                try await daemon.run()
            } catch  where !logs.isForPeople {
                throw CommandFailure(error).logged(by: logger)
            }
        }
    }
}
