import Logging

/// A log handler that hands out the `event` words of what is logged, each with its other metadata.
struct NotedEvents: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug
    private let noted: AsyncStream<Logger.Metadata>.Continuation

    /// A logger, and the events that are logged to it.
    static func make() -> (logger: Logger, events: AsyncStream<Logger.Metadata>) {
        let (events, noted) = AsyncStream.makeStream(of: Logger.Metadata.self)
        return (Logger(label: "test") { _ in NotedEvents(noted: noted) }, events)
    }

    private init(noted: AsyncStream<Logger.Metadata>.Continuation) { self.noted = noted }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { noted.yield(event.metadata ?? [:]) }
}
