internal import ArgumentParser
internal import PluginKit
internal import SystemPackage
internal import Systemd

/// `moviesyncd check-config`: says all that is wrong with the configuration, without starting anything.
struct CheckConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the configuration without starting.",
        discussion: "Says every problem with file, line and column, and exits with 78 where there is one."
    )

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Also reach the remote with the configured credential.")
    var probe = false

    @Option(help: ArgumentHelp("Print all keys instead: markdown or yaml.", visibility: .hidden))
    var reference: SettingsReference.Format?

    func run() async throws {
        try await reportingFailure {
            let builtIn = try PluginRegistry.builtIn()
            if let reference {
                return print(SettingsReference(SettingsSchema(builtIn)).text(in: reference), terminator: "")
            }
            let source = SettingsSource(flags: options.flags, plugins: builtIn)
            let loaded = try await source.load()
            let problems = ProgramCheck(settings: loaded.settings, file: loaded.file).problems
            guard problems.isEmpty else { throw SettingsRejected(problems) }
            for warning in loaded.warnings { StandardError.writeLine("moviesyncd: \(warning)") }
            print("\(loaded.file?.string ?? "built-in defaults"): the configuration is good")
            if probe {
                let (remote, context) = try loaded.settings.remote(of: try source.plugins())
                print(try await remote.probe(context))
            }
        }
    }
}

extension SettingsReference.Format: ExpressibleByArgument {}
