internal import ArgumentParser
internal import Catalogs
internal import ControlAPI
internal import PluginKit

struct AboutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "about", abstract: "Show version and licence, and what the sources of data ask to be said.")

    @OptionGroup var common: CommonOptions

    mutating func run() async throws {
        let owed = BuiltInCatalogs.all.map(\.description).map { ($0.name, $0.attribution) }
        try Output(json: common.json).show(
            AboutAnswer(
                reply: .init(
                    version: MoviesyncVersion.current, licence: "Apache License 2.0",
                    attributions: Dictionary(owed) { first, _ in first })))
    }
}
