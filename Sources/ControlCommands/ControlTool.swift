internal import ArgumentParser
internal import ControlAPI
internal import OperatingSystem
internal import SystemPackage

/// The program `moviesync`.
package enum ControlTool {
    /// Reads the command line, carries the command out and ends the process with its exit code.
    package static func main() async {
        let arguments = CommonOptions.behindTheCommand(
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
            Output.complain(failure.message)
            MoviesyncCommand.exit(withError: ExitCode(failure.code.rawValue))
        } catch {
            MoviesyncCommand.exit(withError: error)
        }
    }
}

/// The root of all commands; what it is called without arguments, is help.
struct MoviesyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moviesync",
        abstract: "Look at the moviesync daemon, tell it what to do, and edit what it keeps in sync.",
        discussion: "Every command takes --socket and --json, before its name or after it.",
        version: MoviesyncVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Records",
                subcommands: [
                    AddCommand.self, SetCommand.self, WatchedCommand.self, UnwatchedCommand.self, ToggleCommand.self,
                    RemoveCommand.self, ListCommand.self, ShowCommand.self,
                ]
            ),
            CommandGroup(
                name: "Daemon",
                subcommands: [
                    StatusCommand.self, HealthCommand.self, WatchCommand.self, ChangesCommand.self, SyncCommand.self,
                    PauseCommand.self, ResumeCommand.self, ReloadCommand.self, VerifyCommand.self,
                ]
            ),
            CommandGroup(
                name: "Decisions",
                subcommands: [
                    HoldsCommand.self, ApproveCommand.self, RejectCommand.self, QuarantineCommand.self,
                    ConflictsCommand.self, RestoreCommand.self, WhyCommand.self,
                ]
            ),
            CommandGroup(name: "Files", subcommands: [JournalCommand.self]),
        ]
    )
}
