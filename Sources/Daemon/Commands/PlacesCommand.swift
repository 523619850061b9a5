internal import ArgumentParser
internal import ControlAPI
internal import FoundationEssentials
internal import PluginKit

/// `moviesyncd places`: where the configuration puts things, as JSON, so that the tool reads it as the daemon does.
struct PlacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "Print where the configuration puts socket, journal and state, as JSON.",
        shouldDisplay: false)

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await reportingFailure {
            let source = SettingsSource(flags: options.flags, plugins: try .builtIn())
            try StandardOutput.writeLine(
                String(decoding: try ControlJSON.text(await source.places()), as: UTF8.self))
        }
    }
}
