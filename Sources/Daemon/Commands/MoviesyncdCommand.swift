internal import ArgumentParser
internal import ControlAPI
internal import OperatingSystem
package import PluginKit
internal import Systemd

/// `moviesyncd`: the daemon, and what one does with it besides running it.
struct MoviesyncdCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moviesyncd",
        abstract: "Keeps a journal of JSON lines and a Firebase Realtime Database in sync.",
        version: "moviesyncd \(MoviesyncVersion.current)",
        subcommands: [RunCommand.self, CheckConfigCommand.self, ServeFirebaseCommand.self],
        defaultSubcommand: RunCommand.self
    )
}

/// The whole program: parses the command line, runs the command, ends the process with its exit code.
package enum Moviesyncd {
    package static func main() async { await MoviesyncdCommand.main() }

    /// `moviesyncd run` with more collections than those that are built in.
    package static func run(adding collections: [any CollectionPlugin]) async {
        do {
            guard let command = try MoviesyncdCommand.parseAsRoot() as? RunCommand else { return await main() }
            try await command.run(adding: collections)
        } catch {
            MoviesyncdCommand.exit(withError: error)
        }
    }
}

extension AsyncParsableCommand {
    /// Runs `body`; what it throws becomes lines on standard error and the exit code that goes with it.
    func reportingFailure(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let failure = Failure(error)
            for line in failure.lines { StandardError.writeLine(line) }
            throw failure.code
        }
    }
}
