package import SyncModel

/// What the configuration says that the tool needs to know too; the output of `moviesyncd places`.
package struct ConfiguredPlaces: Codable, Hashable, Sendable {
    /// The variable of the environment that says how long the tool waits for a daemon that says nothing, in seconds.
    package static let patienceVariable = "MOVIESYNC_PATIENCE"
    /// The file in the state's folder that a running daemon has locked.
    package static let lockFile = "state.lock"
    /// The files that the daemon itself keeps in the state's folder.
    package static let stateFiles = ["state.sqlite", lockFile, "changes.jsonl", "sessions.json", "web-sessions.json"]

    /// The configuration file; null where there is none.
    @Nullable package var file: String?
    /// Null where nothing says where the state is; then nothing says where the others are.
    @Nullable package var state: String?
    @Nullable package var journal: String?
    @Nullable package var socket: String?
    /// How far this machine's clock and the server's may differ, in milliseconds; null where it is not known.
    @Nullable package var maxAheadMs: Int64?
    /// What the enabled collections say about their fields.
    package var collections: [CollectionSchema]
    /// All that is wrong with the configuration, one line each.
    package var problems: [String]
    /// What means nothing in the environment, one line each.
    package var warnings: [String]

    package init(file: String?, collections: [CollectionSchema], problems: [String], warnings: [String]) {
        self.file = file
        self.collections = collections
        self.problems = problems
        self.warnings = warnings
        (state, journal, socket, maxAheadMs) = (nil, nil, nil, nil)
    }

    /// The first of ``problems``, and how many more there are, in one line; nil where there are none.
    package var problem: String? {
        problems.first.map { $0 + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "") }
    }
}
