/// How the daemon gets on with the remote.
package struct RemoteStatus: Codable, Hashable, Sendable {
    package enum Stream: String, Codable, Sendable { case connecting, snapshot, live, down }

    /// The name of the remote plugin.
    package var plugin: String
    /// Where the remote is; never with a secret in it.
    package var url: String
    package var stream: Stream
    @Nullable package var lastPushAt: Moment?
    @Nullable package var lastPullAt: Moment?
    @Nullable package var lastError: String?
    /// What is wrong between this node and the remote now, in words; null where nothing is, or only what is paused.
    @Nullable package var trouble: String?
    /// When the next attempt is made, while backing off.
    @Nullable package var retryAt: Moment?
    /// The remote's clock less this machine's, in milliseconds.
    package var clockOffsetMs: Int64
    package var requests: Int
    package var bytesSent: Int
    package var bytesReceived: Int

    package init(
        plugin: String, url: String, stream: Stream = .connecting, lastPushAt: Moment? = nil, lastPullAt: Moment? = nil,
        lastError: String? = nil, retryAt: Moment? = nil, clockOffsetMs: Int64 = 0, requests: Int = 0,
        bytesSent: Int = 0, bytesReceived: Int = 0
    ) {
        self.plugin = plugin
        self.url = url
        self.stream = stream
        self.lastPushAt = lastPushAt
        self.lastPullAt = lastPullAt
        self.lastError = lastError
        trouble = nil
        self.retryAt = retryAt
        self.clockOffsetMs = clockOffsetMs
        self.requests = requests
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }
}
