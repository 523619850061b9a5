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
    let environment: @Sendable (String) -> String?
    let exists: @Sendable (String) -> Bool
    /// The configuration file that was chosen.
    let config: String?
    /// The socket that was chosen.
    let socket: String?
    /// What the configuration of a daemon says; nil where nobody can read it.
    let configured: @Sendable (Side) async -> ConfiguredPlaces?
    /// Whose daemon is meant, whether it answers or not: its socket, its journal and its configuration are those that count.
    ///
    /// Decided once: a daemon that stops meanwhile takes its socket away.
    private(set) var side = Side.system

    static let systemConfiguration = "/etc/moviesync/moviesync.yaml"
    static let systemSocket = "/run/moviesync/control.sock"
    static let systemJournal = "/var/spool/moviesync/journal.jsonl"

    /// As this process sees them.
    init(config: String?, socket: String?) {
        let inquiry = ConfigurationInquiry(config: config)
        self.init(
            environment: { ThisProcess.environment($0) }, exists: { (try? FileIdentity.of(path: $0)) != nil },
            config: config, socket: socket, configured: { await inquiry.places(of: $0) })
    }

    init(
        environment: @escaping @Sendable (String) -> String?, exists: @escaping @Sendable (String) -> Bool,
        config: String? = nil, socket: String? = nil,
        configured: @escaping @Sendable (Side) async -> ConfiguredPlaces? = { _ in nil }
    ) {
        self.environment = environment
        self.exists = exists
        self.config = config
        self.socket = socket
        self.configured = configured
        side = nearest
    }

    /// By the signs of each daemon. A state folder alone is the least one: a trial leaves it behind.
    private var nearest: Side {
        if isChosen { return .own }
        if config == DefaultPaths.systemConfiguration { return .system }
        if let namedSocket, namedSocket == DefaultPaths.systemSocket { return .system }
        if let namedSocket, ownSockets.contains(namedSocket) { return .own }
        if isConfigured || ownSockets.contains(where: exists) { return .own }
        if exists(DefaultPaths.systemSocket) || exists(DefaultPaths.systemConfiguration) { return .system }
        guard let stateFolder else { return .system }
        if exists(stateFolder) { return .own }
        // Before anything has run, the system's daemon is meant where it is installed.
        return exists(Folder.containing(DefaultPaths.systemJournal)) ? .system : .own
    }

    /// The socket that was chosen, else `$MOVIESYNC_SOCKET`, else that of the daemon that is meant.
    func controlSocket() async -> String {
        if let namedSocket { return namedSocket }
        switch side {
        case .own: return await ownSocket()
        case .system: return await systemSocket()
        }
    }

    /// Throws where the configuration file that was chosen is wrong: another daemon may be meant than the one that would be
    /// found without it.
    func checkChosenConfiguration() async throws {
        guard config != nil, let problem = await configured(side)?.problem else { return }
        throw CommandFailure(.badConfiguration, "\(problem): mend it, or name the daemon with --socket")
    }

    private func ownSocket() async -> String {
        if isConfigured, let path = await configured(.own)?.socket { return path }
        return ownSockets.first(where: exists) ?? ownSockets.first ?? DefaultPaths.systemSocket
    }

    private func systemSocket() async -> String {
        if config != nil || !exists(DefaultPaths.systemSocket), exists(DefaultPaths.systemConfiguration),
            let path = await configured(.system)?.socket
        {
            return path
        }
        return DefaultPaths.systemSocket
    }

    /// `chosen`, else `$MOVIESYNC_JOURNAL`; nil where only the daemon or its configuration can tell.
    func journal(chosen: String?) -> String? { chosen ?? value("MOVIESYNC_JOURNAL") }

    /// Where the journal is while no daemon answers: that of the daemon that is meant. Nil where only a socket names
    /// that one, and it is the socket of none that is known.
    func journalWithoutDaemon() async -> String? {
        guard let side = await meant() else { return nil }
        if let said = await withoutDaemon()?.journal { return said }
        return side == .own ? (stateFolder ?? ".") + "/journal.jsonl" : DefaultPaths.systemJournal
    }

    /// What the configuration of the daemon says that does not answer; nil where it has none, or none is known.
    func withoutDaemon() async -> ConfiguredPlaces? {
        guard let side = await meant() else { return nil }
        let isWritten = side == .own ? isConfigured : exists(DefaultPaths.systemConfiguration)
        return isWritten ? await configured(side) : nil
    }

    /// ``side``; where only a socket says who is meant, whose socket that is, and nil where it is nobody's.
    private func meant() async -> Side? {
        // Variables that name socket and state together name one daemon.
        guard let namedSocket, config == nil, socket != nil || value("MOVIESYNC_STATE") == nil else { return side }
        if namedSocket == DefaultPaths.systemSocket { return .system }
        if ownSockets.contains(namedSocket) { return .own }
        if await configured(.own)?.socket == namedSocket { return .own }
        return await configured(.system)?.socket == namedSocket ? .system : nil
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

    /// Whether a flag or a variable says which daemon is meant, other than the system's.
    private var isChosen: Bool {
        value("MOVIESYNC_STATE") != nil || config.map { $0 != DefaultPaths.systemConfiguration } ?? false
    }

    /// Whether something says how the user's own daemon is configured.
    private var isConfigured: Bool { isChosen || config == nil && personalConfiguration.map(exists) ?? false }

    private var namedSocket: String? { socket ?? value("MOVIESYNC_SOCKET") }

    /// Where the user's own daemon has its socket, if nothing else is configured: the daemon of a user without a runtime
    /// folder keeps it with its state.
    private var ownSockets: [String] {
        let folders = [folder("XDG_RUNTIME_DIR").map { $0 + "/moviesync" }, stateFolder].compactMap(\.self)
        return folders.map { $0 + "/control.sock" }
    }

    private var personalConfiguration: String? {
        (folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }).map { $0 + "/moviesync/moviesync.yaml" }
    }

    /// Where the user's own daemon keeps its state.
    private var stateFolder: String? {
        (folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }).map { $0 + "/moviesync" }
    }

    /// As the daemon reads it: the first of several, and a relative path counts as not set.
    private func folder(_ name: String) -> String? {
        value(name)?.split(separator: ":").first.flatMap { $0.hasPrefix("/") ? String($0) : nil }
    }

    private func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
}
