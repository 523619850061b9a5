internal import ArgumentParser
internal import ControlAPI

/// The root of all commands; without arguments it prints help.
struct MoviesyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moviesync",
        abstract: "Control the moviesync daemon, and view and edit its records.",
        discussion: "Every command accepts --socket, --config and --json, before or after its name.",
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
                name: "Catalogs",
                subcommands: [SearchCommand.self, SaveCommand.self, CatalogCommand.self, ArtistCommand.self]
            ),
            CommandGroup(
                name: "People",
                subcommands: [
                    LoginCommand.self, RegisterCommand.self, LogoutCommand.self, WhoamiCommand.self,
                    FavouriteCommand.self, ReviewCommand.self, ProfileCommand.self,
                ]
            ),
            CommandGroup(
                name: "Daemon",
                subcommands: [
                    StatusCommand.self, TopCommand.self, HealthCommand.self, DoctorCommand.self, MetricsCommand.self,
                    WatchCommand.self,
                    ChangesCommand.self, SyncCommand.self,
                    PauseCommand.self, ResumeCommand.self, ReloadCommand.self, VerifyCommand.self,
                    NodesCommand.self, PluginCommand.self, HookCommand.self, WebCommand.self, AboutCommand.self,
                ]
            ),
            CommandGroup(
                name: "Decisions",
                subcommands: [
                    HoldsCommand.self, ApproveCommand.self, RejectCommand.self, QuarantineCommand.self,
                    ConflictsCommand.self, RestoreCommand.self, WhyCommand.self, TraceCommand.self, HistoryCommand.self,
                    UndoCommand.self,
                ]
            ),
            CommandGroup(name: "Files", subcommands: [JournalCommand.self, BackupCommand.self]),
        ]
    )
}
