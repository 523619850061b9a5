/// One entry of the change feed: a change that took effect here, whichever side it came from.
public struct Change: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case create, update, delete }
    /// Where a change came from.
    public enum Origin: Hashable, Sendable {
        case journal, remote, decision
        /// A line of the journal that names the plugin or hook that wrote it.
        case plugin(String)
    }

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
    /// Nil for a record that came into being by an edit of the node of its version's stamp, and where it was not noted.
    public var past: ChangePast?
    /// The stamps of later versions that showed just this, so that they were no change.
    public var laterStamps: [Stamp] = []

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

extension Change.Origin: RawRepresentable {
    private static let pluginPrefix = "plugin "

    /// - Parameter rawValue: `journal`, `remote`, `decision`, or `plugin NAME`.
    public init?(rawValue: String) {
        switch rawValue {
        case "journal": self = .journal
        case "remote": self = .remote
        case "decision": self = .decision
        default:
            let name = rawValue.dropFirst(Change.Origin.pluginPrefix.count)
            guard rawValue.hasPrefix(Change.Origin.pluginPrefix), PluginName.isOne(name) else { return nil }
            self = .plugin(String(name))
        }
    }

    public var rawValue: String {
        switch self {
        case .journal: "journal"
        case .remote: "remote"
        case .decision: "decision"
        case .plugin(let name): Change.Origin.pluginPrefix + name
        }
    }
}
