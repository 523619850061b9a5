internal import Logging
internal import Systemd

/// The logs of the process.
struct Logs: Sendable {
    /// Changes the level while the daemon runs.
    let threshold: LogThreshold
    /// Whether a person reads standard error, rather than a program.
    let isForPeople: Bool
    /// Puts another shape of the lines in force.
    let setFormat: @Sendable (Settings.Log.Format) -> Void

    /// Directs all loggers to standard error or the journal.
    ///
    /// May be called once in a process.
    static func bootstrap(_ log: Settings.Log, environment: [String: String]) -> Logs {
        let threshold = LogThreshold(log.level)
        let isJournal = StandardError.isJournal(journalStream: environment["JOURNAL_STREAM"])
        let isTerminal = StandardError.isTerminal
        let hasJournal = JournalSink.isReachable
        let sink = sink(for: log.format, isJournal: isJournal, hasJournal: hasJournal, isTerminal: isTerminal)
        let counting = CountingSink(sink)
        LoggingSystem.bootstrap(
            { _, provider in
                var handler = EntryLogHandler(sink: counting, threshold: threshold)
                handler.metadataProvider = provider
                return handler
            }, metadataProvider: nil
        )
        let logs = Logs(threshold: threshold, isForPeople: sink is TextSink) { format in
            counting.pass(
                to: Self.sink(for: format, isJournal: isJournal, hasJournal: hasJournal, isTerminal: isTerminal))
            Self.warn(of: format, hasJournal: hasJournal)
        }
        warn(of: log.format, hasJournal: hasJournal)
        return logs
    }

    private static func warn(of format: Settings.Log.Format, hasJournal: Bool) {
        guard format == .journald, !hasJournal else { return }
        Logger(label: "moviesyncd").warning(
            "No journal of systemd is here, for log.format: the log goes to standard error",
            metadata: ["event": "log.journal.missing"])
    }

    /// Which sink a format means, by what standard error is, and whether systemd's journal runs here.
    static func sink(
        for format: Settings.Log.Format, isJournal: Bool, hasJournal: Bool, isTerminal: Bool
    ) -> any LogSink {
        switch format {
        case .journald where hasJournal, .auto where isJournal: JournalSink()
        case .text: TextSink()
        case .json: JSONSink()
        case .journald, .auto: if isTerminal { TextSink() } else { JSONSink() }
        }
    }
}
