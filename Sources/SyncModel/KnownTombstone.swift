/// What the remote's tombstone of a record was last known to hold.
package struct KnownTombstone: Hashable, Sendable {
    package var stamp: Stamp
    /// The hash of the content that was deleted, where it says so.
    package var contentHash: ContentHash?
    package var etag: String?

    package init(stamp: Stamp, contentHash: ContentHash? = nil, etag: String? = nil) {
        self.stamp = stamp
        self.contentHash = contentHash
        self.etag = etag
    }
}
