internal import ArgumentParser
internal import FoundationEssentials
internal import PluginKit
internal import SystemPackage

/// The folder of a hub's data.
struct DataFolderOption: ParsableArguments {
    @Option(help: ArgumentHelp(LocalKeys.data.declaration, "folder"))
    var data: String?

    func validate() throws {
        if let data, data.isEmpty { throw ValidationError("--data is empty: name a folder, or leave it out") }
    }

    /// The absolute path. Throws where nothing says one.
    func folder(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> FilePath {
        if let data { return Self.workingDirectory.pushing(FilePath(data)).lexicallyNormalized() }
        guard let state = StandardPaths(environment: environment, userID: 0).state else {
            throw CommandFailure(.configuration, "there is no place for the data: set --data or HOME")
        }
        return state.appending("firebase")
    }

    static var workingDirectory: FilePath { FilePath(FileManager.default.currentDirectoryPath) }
}
