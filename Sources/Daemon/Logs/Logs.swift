internal import Logging
internal import Systemd

/// Sets up the logs of the process.
enum Logs {
    /// Directs all loggers to standard error or the journal.
    ///
    /// May be called once in a process.
    /// - Returns: the threshold that changes the level while the daemon runs.
    static func bootstrap(_ log: Settings.Log, environment: [String: String]) -> LogThreshold {
        let threshold = LogThreshold(log.level)
        let sink = sink(
            for: log.format, isJournal: StandardError.isJournal(journalStream: environment["JOURNAL_STREAM"]),
            isTerminal: StandardError.isTerminal
        )
        LoggingSystem.bootstrap(
            { _, provider in
                var handler = EntryLogHandler(sink: sink, threshold: threshold)
                handler.metadataProvider = provider
                return handler
            }, metadataProvider: nil
        )
        return threshold
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
