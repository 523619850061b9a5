public import SyncModel

/// A record or tombstone to be written.
public struct RemoteWrite: Hashable, Sendable {
    public enum Body: Hashable, Sendable {
        /// The record's content with the keys that identify it.
        case record(Content, identityFields: [String: JSONValue])
        case tombstone(ended: ContentHash?)
    }

    public var key: String
    public var body: Body
    public var stamp: Stamp

    public init(key: String, body: Body, stamp: Stamp) {
        self.key = key
        self.body = body
        self.stamp = stamp
    }
}
