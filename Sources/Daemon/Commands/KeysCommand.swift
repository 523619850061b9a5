internal import ArgumentParser
internal import DatabaseServer
internal import SystemPackage

/// `moviesyncd serve-firebase keys`: what the hub signs ID tokens with.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Change the key that ID tokens are signed with.",
        subcommands: [RotateKeysCommand.self])
}

/// `moviesyncd serve-firebase keys rotate`.
struct RotateKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make a new key for ID tokens.",
        discussion: """
            The new key signs from now on, also in a hub that runs. The one before stays published, and its tokens are \
            accepted, for two hours.
            """)

    @OptionGroup var dataFolder: DataFolderOption

    func run() async throws {
        try await reportingFailure {
            let id = try SigningKeyFile.rotate(in: try dataFolder.folder().string)
            try StandardOutput.writeLine("the new key is \(id)")
        }
    }
}
