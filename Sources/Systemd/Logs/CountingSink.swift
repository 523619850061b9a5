internal import Synchronization

/// Counts messages that come again by themselves, and hands the others on.
package final class CountingSink: LogSink {
    private let sink: any LogSink
    private let repetition = Mutex(Repetition())

    package init(_ sink: any LogSink) { self.sink = sink }

    package func write(_ entry: LogEntry) {
        guard let entry = repetition.withLock({ $0.admit(entry) }) else { return }
        sink.write(entry)
    }
}
