internal import SyncModel

/// What the server tells of itself, under `.info`.
enum ServerInfo {
    /// Whoever asks over a connection is connected, and is told the server's own time with it.
    private static let all: [String: JSONValue] = ["connected": true, "serverTimeOffset": 0]

    /// One thing, or null where there is none of this name; without a name all.
    static func value(_ name: String?) -> JSONValue { name.map { all[$0] ?? .null } ?? .object(all) }
}
