/// A record or tombstone to be written.
public struct RemoteWrite: Hashable, Sendable {
    public enum Body: Hashable, Sendable {
        /// The record's content with the keys that identify it; `fieldStamps` is nil where every field has the version's
        /// stamp.
        case record(Content, identityFields: [String: JSONValue], fieldStamps: FieldStamps? = nil)
        case tombstone(ended: ContentHash?)
    }

    public var key: String
    public var body: Body
    public var stamp: Stamp
    /// The stamp of the version that this one replaces, or that the delete ends: written (`_b`) where the remote's rules
    /// compare it. Nil where it is not to be written.
    public var replaces: Stamp?

    public init(key: String, body: Body, stamp: Stamp, replaces: Stamp? = nil) {
        self.key = key
        self.body = body
        self.stamp = stamp
        self.replaces = replaces
    }
}
