/// Counters since the start, and what is known of the server's clock.
public struct RemoteTraffic: Hashable, Sendable {
    public var requests = 0
    public var bytesSent = 0
    public var bytesReceived = 0
    /// Server's time minus ours, milliseconds; nil before the first answer.
    public var clockOffset: Int64?

    public init() {}
}
