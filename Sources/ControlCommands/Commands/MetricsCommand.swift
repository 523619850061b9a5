internal import ArgumentParser
internal import ControlAPI
internal import OperatingSystem

struct MetricsCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Show the daemon's counters, for Prometheus.",
        discussion: """
            With --textfile, moviesync.prom in that folder is replaced, for the textfile collector of Prometheus' node \
            exporter; where no daemon answers, it says so: moviesync_up 0.
            """
    )

    @Option(help: ArgumentHelp("Write moviesync.prom into this folder.", valueName: "folder"))
    var textfile: String?

    @OptionGroup var common: CommonOptions

    /// What is known of a daemon that does not answer.
    private static let down =
        "# HELP moviesync_up 1 unless something is critical.\n# TYPE moviesync_up gauge\nmoviesync_up 0\n"

    func perform(_ session: Session) async throws {
        guard let textfile else {
            return try session.output.show(
                MetricsAnswer(reply: .init(text: try await session.client.text(ControlRoute.metrics))))
        }
        var failure: CommandFailure?
        let text: String
        do {
            text = try await session.client.text(ControlRoute.metrics)
        } catch let error as CommandFailure where error.code == .notRunning {
            (text, failure) = (Self.down, error)
        }
        let path = textfile + "/moviesync.prom"
        do {
            // The exporter runs as a user of its own.
            let file = try ReplacingFile(path: path, mode: 0o644)
            try file.write(Array(text.utf8))
            try file.finish()
        } catch {
            throw CommandFailure(.inputOutput, "\(error)")
        }
        if let failure { throw failure }
        try session.output.show(WrittenAnswer(path, bytes: text.utf8.count))
    }
}
