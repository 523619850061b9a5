/// What the remote was last known to hold under a record's key: the common ground of the two sides.
package struct RemoteSnapshot: Hashable, Sendable {
    /// The stamp it carries; nil where an app without stamps wrote it.
    package var stamp: Stamp?
    /// The stamp of the last stamped version that stood there, while ``stamp`` is nil; nil if there never was one.
    package var lastStamp: Stamp?
    package var content: Content
    /// For a conditional write; nil where only an event or a batch told of it.
    package var etag: String?
    /// The key where it is not the upper-case id.
    package var key: String?

    package init(stamp: Stamp?, lastStamp: Stamp? = nil, content: Content, etag: String? = nil, key: String? = nil) {
        self.stamp = stamp
        self.lastStamp = lastStamp
        self.content = content
        self.etag = etag
        self.key = key
    }

    /// Whether a stamped version has ever stood there.
    package var hasBeenStamped: Bool { stamp != nil || lastStamp != nil }
}
