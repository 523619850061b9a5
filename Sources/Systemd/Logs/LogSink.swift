/// Where log entries go. Writing never throws: there is nobody left to tell.
package protocol LogSink: Sendable {
    func write(_ entry: LogEntry)
}
