/// The highest stamp of which the remote's tombstones may have ended (`docs/protocol.md` section 11).
public struct RemoteHorizon: Hashable, Sendable {
    /// Nil while none has.
    public var stamp: Stamp?
    /// For raising it; nil where the remote did not say.
    public var etag: String?

    public init(stamp: Stamp?, etag: String? = nil) {
        self.stamp = stamp
        self.etag = etag
    }
}
