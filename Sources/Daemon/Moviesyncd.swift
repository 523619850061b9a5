internal import ArgumentParser
internal import OperatingSystem
package import PluginKit
internal import Systemd

/// The whole program: parses the command line, runs the command, ends the process with its exit code.
package enum Moviesyncd {
    package static func main() async { await run(adding: []) }

    /// The program with more collections than those that are built in, for `moviesyncd run`.
    package static func run(adding collections: [any CollectionPlugin]) async {
        do {
            // Who asks for a reload before the daemon is there to hear it has what was asked for.
            let heedHangups = ThisProcess.ignoreHangups()
            var command = try MoviesyncdCommand.parseAsRoot()
            if !(command is RunCommand) { heedHangups() }
            if let command = command as? RunCommand {
                ThisProcess.endWhenTold()
                try await command.run(adding: collections)
            } else if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            MoviesyncdCommand.exit()
        } catch {
            end(with: error)
        }
    }

    /// Says what there is to say of `error` besides an exit code: what was asked for instead of a command, such as help, on
    /// standard output, a complaint about the command line in one line.
    private static func end(with error: any Error) -> Never {
        let code = MoviesyncdCommand.exitCode(for: error)
        let text = MoviesyncdCommand.fullMessage(for: error)
        if code != .success, !text.isEmpty {
            StandardError.writeLine(UsageComplaint(MoviesyncdCommand.message(for: error), help: text).description)
        } else if !text.isEmpty {
            do {
                try StandardOutput.writeLine(text)
            } catch {
                StandardError.writeLine(error.description)
                MoviesyncdCommand.exit(withError: error.code)
            }
        }
        MoviesyncdCommand.exit(withError: code)
    }
}
