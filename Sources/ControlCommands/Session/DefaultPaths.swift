internal import ControlAPI
internal import FoundationEssentials
internal import OperatingSystem

/// Where the daemon that a command means has its socket and its journal, as its configuration says.
///
/// There may be two: the user's own, and the system's. What only the configuration can tell is asked of `moviesyncd`.
struct DefaultPaths: Sendable {
    /// Whose daemon.
    enum Side: Sendable { case own, system }

    /// The value of an environment variable; an empty one counts as missing.
    var environment: @Sendable (String) -> String?
    var exists: @Sendable (String) -> Bool
    /// The configuration file that was chosen.
    var config: String?
    /// What the configuration of a daemon says; nil where nobody can read it.
    var configured: @Sendable (Side) async -> ConfiguredPlaces?

    static let systemConfiguration = "/etc/moviesync/moviesync.yaml"
    static let systemSocket = "/run/moviesync/control.sock"
    static let systemJournal = "/var/spool/moviesync/journal.jsonl"

    /// As this process sees them.
    init(config: String?) {
        let inquiry = ConfigurationInquiry(config: config)
        self.init(
            environment: { ThisProcess.environment($0) }, exists: { (try? FileIdentity.of(path: $0)) != nil },
            config: config, configured: { await inquiry.places(of: $0) })
    }

    init(
        environment: @escaping @Sendable (String) -> String?, exists: @escaping @Sendable (String) -> Bool,
        config: String? = nil, configured: @escaping @Sendable (Side) async -> ConfiguredPlaces? = { _ in nil }
    ) {
        self.environment = environment
        self.exists = exists
        self.config = config
        self.configured = configured
    }

    /// `chosen`, else `$MOVIESYNC_SOCKET`, else the user's own daemon's if it is there, else the system's.
    func socket(chosen: String?) async -> String {
        if let path = chosen ?? value("MOVIESYNC_SOCKET") { return path }
        let own = await ownSocket()
        if config != nil { return own ?? DefaultPaths.systemSocket }
        if let own, exists(own) { return own }
        if exists(DefaultPaths.systemSocket) { return DefaultPaths.systemSocket }
        if exists(DefaultPaths.systemConfiguration), let path = await configured(.system)?.socket, exists(path) {
            return path
        }
        return isConfigured ? own ?? DefaultPaths.systemSocket : DefaultPaths.systemSocket
    }

    /// Throws where the configuration file that was chosen is wrong: another daemon may be meant than the one that would be
    /// found without it.
    func checkChosenConfiguration() async throws {
        guard config != nil, let problem = await configured(.own)?.problem else { return }
        throw CommandFailure(.badConfiguration, "\(problem): mend it, or name the daemon with --socket")
    }

    private func ownSocket() async -> String? {
        if isConfigured { return await configured(.own)?.socket }
        // The daemon of a user without a runtime folder keeps it with its state.
        let folders = [value("XDG_RUNTIME_DIR").map { $0 + "/moviesync" }, stateFolder].compactMap(\.self)
        return folders.map { $0 + "/control.sock" }.first(where: exists)
    }

    /// `chosen`, else `$MOVIESYNC_JOURNAL`; nil where only the daemon or its configuration can tell.
    func journal(chosen: String?) -> String? { chosen ?? value("MOVIESYNC_JOURNAL") }

    /// Where the journal is while no daemon answers: the user's own if there are signs of one, else the system's.
    func journalWithoutDaemon() async -> String {
        let said = await withoutDaemon()?.journal
        if let said { return said }
        return side == .own ? (stateFolder ?? ".") + "/journal.jsonl" : DefaultPaths.systemJournal
    }

    /// What the configuration of the daemon says that does not answer; nil where it has none.
    func withoutDaemon() async -> ConfiguredPlaces? {
        let isWritten = side == .own ? isConfigured : exists(DefaultPaths.systemConfiguration)
        return isWritten ? await configured(side) : nil
    }

    /// What is set for moviesync in the environment and means nothing, one line each.
    func unknownVariables(_ names: [String] = Array(ProcessInfo.processInfo.environment.keys)) async -> [String] {
        let odd = names.filter { $0.hasPrefix("MOVIESYNC_") && !DefaultPaths.ownVariables.contains($0) }
        // Only who knows all keys can tell.
        return odd.isEmpty
            ? []
            : await configured(.own)?.warnings.filter { warning in
                odd.contains { warning.hasPrefix($0 + " ") }
            } ?? []
    }

    /// What the tool reads itself, and what the programs of hooks find in their environment.
    private static let ownVariables: Set<String> = [
        "MOVIESYNC_SOCKET", "MOVIESYNC_JOURNAL", "MOVIESYNC_STATE", "MOVIESYNC_PLUGIN", "MOVIESYNC_EVENT",
        "MOVIESYNC_SEQ", "MOVIESYNC_COLLECTION", "MOVIESYNC_ID", "MOVIESYNC_ORIGIN",
    ]

    /// Whose daemon is meant where none answers.
    var side: Side {
        isConfigured || stateFolder.map(exists) ?? false ? .own : .system
    }

    /// Whether something says how the user's own daemon is configured.
    private var isConfigured: Bool {
        config != nil || value("MOVIESYNC_STATE") != nil || personalConfiguration.map(exists) ?? false
    }

    private var personalConfiguration: String? {
        (value("XDG_CONFIG_HOME") ?? value("HOME").map { $0 + "/.config" }).map { $0 + "/moviesync/moviesync.yaml" }
    }

    /// Where the user's own daemon keeps its state.
    private var stateFolder: String? {
        (value("XDG_STATE_HOME") ?? value("HOME").map { $0 + "/.local/state" }).map { $0 + "/moviesync" }
    }

    private func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
}
