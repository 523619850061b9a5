import PluginKit
import SyncModel
import SystemPackage
import TestSupport

@testable import Daemon

/// Settings as they are read from a text, with nothing of this machine's environment.
struct SettingsFixture {
    var yaml: String?
    var environment: [String: String] = ["HOME": "/home/ann"]
    var flags = SettingsFlags()
    /// Those that are built in, where nothing else is said.
    var plugins: PluginRegistry?

    /// The settings, or what is wrong, with `F` for the file's name and `D` for its folder.
    func load() async throws -> (loaded: LoadedSettings?, problems: [String]) {
        try await withTemporaryFolder { folder in
            try await load(in: folder)
        }
    }

    func load(in folder: FilePath) async throws -> (loaded: LoadedSettings?, problems: [String]) {
        let file = folder.appending("moviesync.yaml")
        var flags = flags
        if let yaml {
            try write(yaml, to: file)
            flags.config = file.string
        }
        let source = SettingsSource(
            flags: flags, environment: environment, plugins: try plugins ?? .builtIn(), workingDirectory: folder,
            userID: 1000
        )
        do {
            return (try await source.load(), [])
        } catch {
            return (
                nil,
                error.problems.map {
                    $0.description.replacing(file.string, with: "F").replacing(folder.string, with: "D")
                }
            )
        }
    }
}

/// Flags with a single one given.
enum SettingsFixtureFlags {
    static func config(_ file: String) -> SettingsFlags { SettingsFlags(config: file) }
    static func state(_ folder: String) -> SettingsFlags { SettingsFlags(values: ["state": folder]) }
}
