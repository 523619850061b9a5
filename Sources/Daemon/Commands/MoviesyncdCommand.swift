internal import ArgumentParser
internal import ControlAPI

/// `moviesyncd`: the daemon, and what one does with it besides running it.
struct MoviesyncdCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moviesyncd",
        abstract: "Keeps a journal of JSON lines and a Firebase Realtime Database in sync.",
        version: "moviesyncd \(MoviesyncVersion.current)",
        subcommands: [
            RunCommand.self, CheckConfigCommand.self, ServeFirebaseCommand.self, SimulateCommand.self,
            PlacesCommand.self,
        ],
        defaultSubcommand: RunCommand.self
    )
}
