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
        let sink = sink(for: log.format, isJournal: isJournal, isTerminal: isTerminal)
        let counting = CountingSink(sink)
        LoggingSystem.bootstrap(
            { _, provider in
                var handler = EntryLogHandler(sink: counting, threshold: threshold)
                handler.metadataProvider = provider
                return handler
            }, metadataProvider: nil
        )
        return Logs(threshold: threshold, isForPeople: sink is TextSink) { format in
            counting.pass(to: Self.sink(for: format, isJournal: isJournal, isTerminal: isTerminal))
        }
    }

    /// Which sink a format means, by what standard error is.
    static func sink(for format: Settings.Log.Format, isJournal: Bool, isTerminal: Bool) -> any LogSink {
        switch format {
        case .journald: JournalSink()
        case .text: TextSink()
        case .json: JSONSink()
        case .auto: if isJournal { JournalSink() } else if isTerminal { TextSink() } else { JSONSink() }
        }
    }
}
