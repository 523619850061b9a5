internal import Synchronization

/// Counts messages that come again by themselves, and hands the others on.
package final class CountingSink: LogSink {
    private let sink: Mutex<any LogSink>
    private let repetition = Mutex(Repetition())

    package init(_ sink: any LogSink) { self.sink = Mutex(sink) }

    /// Hands what comes from now on to another sink.
    package func pass(to other: any LogSink) { sink.withLock { $0 = other } }

    package func write(_ entry: LogEntry) {
        guard let entry = repetition.withLock({ $0.admit(entry) }) else { return }
        sink.withLock { $0 }.write(entry)
    }
}
