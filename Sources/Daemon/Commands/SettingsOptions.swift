internal import ArgumentParser
internal import PluginKit

/// The flags that are layers of the configuration.
struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp(CoreKeys.state.declaration, "folder"))
    var state: String?

    @Option(help: ArgumentHelp(CoreKeys.journal.declaration, "file"))
    var journal: String?

    @Option(help: ArgumentHelp(CoreKeys.socket.declaration, "path"))
    var socket: String?

    @Option(help: ArgumentHelp(CoreKeys.logLevel.declaration))
    var logLevel: LogLevel?

    var flags: SettingsFlags {
        SettingsFlags(
            config: config,
            values: [
                CoreKeys.state.name: state, CoreKeys.journal.name: journal, CoreKeys.socket.name: socket,
                CoreKeys.logLevel.name: logLevel?.rawValue,
            ])
    }
}

extension ArgumentHelp {
    /// The words of a key that the command line sets too.
    init(_ key: SettingDeclaration, _ valueName: String? = nil) {
        self.init("\(key.summary)", valueName: valueName)
    }
}
