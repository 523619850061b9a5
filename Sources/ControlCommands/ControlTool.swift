internal import ArgumentParser
internal import SystemPackage

/// The program `moviesync`.
package enum ControlTool {
    /// Reads the command line, carries the command out and ends the process with its exit code.
    package static func main() async {
        let arguments = CommonOptions.normalized(
            EditOptions.spelledOut(Array(CommandLine.arguments.dropFirst())))
        do {
            let parsed = try MoviesyncCommand.parseAsRoot(arguments)
            if var command = parsed as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = parsed
                try command.run()
            }
        } catch Errno.brokenPipe {
            // Whoever read our output has seen enough (`moviesync list | head`).
            MoviesyncCommand.exit(withError: ExitCode.success)
        } catch let failure as CommandFailure {
            Output.printError(failure.message)
            MoviesyncCommand.exit(withError: ExitCode(failure.code.rawValue))
        } catch {
            MoviesyncCommand.exit(withError: error)
        }
    }
}
