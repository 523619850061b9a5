internal import ArgumentParser
internal import OperatingSystem
internal import SystemPackage

/// The program `moviesync`.
package enum ControlTool {
    /// Reads the command line, carries the command out and ends the process with its exit code.
    package static func main() async {
        ThisProcess.ignoreClosedPipes()
        let line = TypedLine(EditOptions.spelledOut(Array(CommandLine.arguments.dropFirst())))
        do {
            if let place = ThisProcess.argumentThatIsNoText {
                throw CommandFailure(.usage, "argument \(place) is not UTF-8: give it in that encoding")
            }
            if let problem = line.problem { throw problem }
            let parsed = try MoviesyncCommand.parseAsRoot(line.normalized)
            if var command = parsed as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = parsed
                try command.run()
            }
        } catch Errno.brokenPipe {
            // Whoever read our output has seen enough (`moviesync list | head`).
            MoviesyncCommand.exit(withError: ExitCode.success)
        } catch {
            end(with: error, line)
        }
    }

    private static func end(with error: any Error, _ line: TypedLine) -> Never {
        if let failure = failure(error, line) {
            Output.printError(failure, json: line.wantsJSON)
            MoviesyncCommand.exit(withError: ExitCode(failure.code.rawValue))
        }
        do {
            try show(error)
        } catch Errno.brokenPipe {
            MoviesyncCommand.exit(withError: ExitCode.success)
        } catch {
            end(with: error, line)
        }
        MoviesyncCommand.exit(withError: MoviesyncCommand.exitCode(for: error))
    }

    /// Writes what was asked for instead of a command, such as help; the parser would not notice that nobody gets it.
    private static func show(_ error: any Error) throws {
        guard MoviesyncCommand.exitCode(for: error) == .success else { return }
        try Output(json: false).write(text: MoviesyncCommand.fullMessage(for: error))
    }

    /// Nil for what is no failure to be told, such as help and exit codes.
    private static func failure(_ error: any Error, _ line: TypedLine) -> CommandFailure? {
        switch error {
        case let failure as CommandFailure: return failure
        case let error as Errno: return CommandFailure(.inputOutput, "the output can't be written: \(error)")
        case is ExitCode: return nil
        default:
            switch MoviesyncCommand.exitCode(for: error) {
            case .success: return nil
            case .validationFailure: return line.complaint(MoviesyncCommand.message(for: error))
            default: return CommandFailure(.internalFault, "\(error)")
            }
        }
    }
}
