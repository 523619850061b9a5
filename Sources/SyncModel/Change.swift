/// One entry of the change feed: a change that took effect here, whichever side it came from.
public struct Change: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case create, update, delete }
    public enum Origin: String, Hashable, Sendable { case journal, remote, decision }

    /// Rises by exactly 1 from entry to entry.
    public var sequence: Int64
    public var kind: Kind
    public var origin: Origin
    public var key: RecordKey
    public var version: Version
    /// The version's stamp; nil where a record went away that never had one.
    public var stamp: Stamp? { version.stamp == .zero ? nil : version.stamp }
    /// When it took effect here, in milliseconds since 1970.
    public var at: UInt64
    /// Nil for a record that came into being by a node's edit, and where it was not noted.
    public var past: ChangePast?

    public init(
        sequence: Int64, kind: Kind, origin: Origin, key: RecordKey, version: Version, at: UInt64,
        past: ChangePast? = nil
    ) {
        self.sequence = sequence
        self.kind = kind
        self.origin = origin
        self.key = key
        self.version = version
        self.at = at
        self.past = past
    }
}
