/// When a write that was answered is on the disk.
package enum Fsync: String, Sendable, CaseIterable {
    /// Before it is answered: it survives a power cut.
    case always
    /// Within a second: a power cut may take the last second. A kill of the server takes nothing.
    case interval
    /// When the system writes it out. A power cut may take more; the file stays whole, and a kill takes nothing.
    case never
}

/// Where the local server listens and keeps its data.
package struct LocalFirebaseOptions: Sendable {
    /// A host name or an IP address.
    package var host = "127.0.0.1"
    /// 0 takes any free port.
    package var port = 9000
    /// The folder of the data; made with mode 0700 where it is missing.
    package var data: String
    /// The time between two `keep-alive` frames of an event stream.
    package var keepAlive: Duration = .seconds(30)
    /// A file of security rules in JSON for the databases that have no rules of their own.
    package var rules: String?
    /// An event stream whose reader is further behind than this many bytes is cut.
    package var listenerBuffer = 16 * 1024 * 1024
    package var fsync = Fsync.always
    /// The most bytes of a request's body.
    package var maxBody = 256 * 1024 * 1024

    package init(data: String) { self.data = data }
}
