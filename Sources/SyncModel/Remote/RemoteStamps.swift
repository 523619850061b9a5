/// The stamps that a record carries in a remote (`_v`, `_f` and `_b`, `docs/protocol.md` section 6).
public struct RemoteStamps: Hashable, Sendable {
    /// That of the version.
    public var version: Stamp
    /// Those of the fields; nil where every field has the version's.
    public var fields: FieldStamps?
    /// That of the version which this one replaced; nil where its author knew of none with a stamp.
    public var replaces: Stamp?

    public init(_ version: Stamp, fields: FieldStamps? = nil, replaces: Stamp? = nil) {
        self.version = version
        self.fields = fields
        self.replaces = replaces
    }
}
