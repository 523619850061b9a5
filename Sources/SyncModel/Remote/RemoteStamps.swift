/// The stamps that a record carries in a remote (`_v` and `_f`, `docs/protocol.md` section 6).
public struct RemoteStamps: Hashable, Sendable {
    /// That of the version.
    public var version: Stamp
    /// Those of the fields; nil where every field has the version's.
    public var fields: FieldStamps?

    public init(_ version: Stamp, fields: FieldStamps? = nil) {
        self.version = version
        self.fields = fields
    }
}
