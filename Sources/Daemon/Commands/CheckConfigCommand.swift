internal import ArgumentParser
internal import PluginKit
internal import SystemPackage
internal import Systemd

/// `moviesyncd check-config`: says all that is wrong with the configuration, without starting anything.
struct CheckConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the configuration without starting.",
        discussion: """
            Says every problem with file, line and column, and exits with 78 where there is one. Programs and secrets that \
            can't be used are warnings: the daemon starts without them.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Also reach the remote with the configured credential.")
    var probe = false

    @Option(help: ArgumentHelp("Print what documents are made from instead.", visibility: .hidden))
    var reference: Reference?

    enum Reference: String, ExpressibleByArgument {
        /// All keys.
        case markdown, yaml
        /// The events worth an alert: the table of the documents, and the journal's message catalog.
        case events, catalog
    }

    func run() async throws {
        try await reportingFailure {
            let builtIn = try PluginRegistry.builtIn()
            if let reference {
                return try StandardOutput.write(text(of: reference, builtIn))
            }
            let source = SettingsSource(flags: options.flags, plugins: builtIn)
            let loaded = try await source.load()
            let check = ProgramCheck(settings: loaded.settings, file: loaded.file, places: loaded.places)
            for warning in loaded.warnings + check.problems.map({ "warning: \($0)" }) {
                StandardError.writeLine("moviesyncd: \(warning)")
            }
            try StandardOutput.writeLine("\(loaded.file?.string ?? "built-in defaults"): the configuration is good")
            if probe {
                let (remote, context) = try loaded.settings.remote(of: try source.plugins())
                try StandardOutput.writeLine("\(try await remote.probe(context))")
            }
        }
    }

    private func text(of reference: Reference, _ plugins: PluginRegistry) -> String {
        let keys = SettingsReference(SettingsSchema(plugins))
        return switch reference {
        case .markdown: keys.markdown
        case .yaml: keys.yaml
        case .events: AlertableEvent.table
        case .catalog: AlertableEvent.catalog
        }
    }
}
