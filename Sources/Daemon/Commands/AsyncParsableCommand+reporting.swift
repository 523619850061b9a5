internal import ArgumentParser
internal import FoundationEssentials
internal import Logging
internal import Systemd

extension AsyncParsableCommand {
    /// Runs `body`; what it throws becomes lines on standard error and the exit code that goes with it.
    func reportingFailure(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let failure = CommandFailure(error)
            let environment = ProcessInfo.processInfo.environment
            if StandardError.isJournal(journalStream: environment["JOURNAL_STREAM"]) {
                // So that it has its place among the events, also where the configuration of logs can't be read.
                let logger = Logger(label: "moviesyncd") { _ in
                    EntryLogHandler(sink: JournalSink(), threshold: LogThreshold(.critical))
                }
                failure.log(by: logger)
            } else {
                for line in failure.lines { StandardError.writeLine(line) }
            }
            throw failure.code
        }
    }
}
