internal import FoundationEssentials
package import Logging
internal import Synchronization

/// A swift-log handler that merges what belongs to an event and hands it to a sink.
///
/// Its level is that of the shared threshold, until a logger sets its own.
package struct EntryLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let sink: any LogSink
    private let threshold: LogThreshold
    private var ownLevel: Logger.Level?

    package init(sink: any LogSink, threshold: LogThreshold) {
        self.sink = sink
        self.threshold = threshold
    }

    package var logLevel: Logger.Level {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var merged = metadata
        if let provided = metadataProvider?.get() { merged.merge(provided) { $1 } }
        if let own = event.metadata { merged.merge(own) { $1 } }
        sink.write(LogEntry(event, metadata: merged, time: Date()))
    }
}
