internal import OperatingSystem

/// The paths of socket and journal that are used unless others are chosen.
struct DefaultPaths {
    /// The value of an environment variable; an empty one counts as missing.
    var environment: (String) -> String?
    var exists: (String) -> Bool

    /// As this process sees them.
    init() {
        environment = { ThisProcess.environment($0) }
        exists = { (try? FileIdentity.of(path: $0)) != nil }
    }

    init(environment: @escaping (String) -> String?, exists: @escaping (String) -> Bool) {
        self.environment = environment
        self.exists = exists
    }

    /// `chosen`, else `$MOVIESYNC_SOCKET`, else the user's own daemon's if it is there, else the system's.
    func socket(chosen: String?) -> String {
        if let path = chosen ?? value("MOVIESYNC_SOCKET") { return path }
        // The daemon of a user without a runtime folder keeps it with its state.
        let folders = [value("XDG_RUNTIME_DIR").map { $0 + "/moviesync" }, stateFolder].compactMap(\.self)
        return folders.map { $0 + "/control.sock" }.first(where: exists) ?? "/run/moviesync/control.sock"
    }

    /// `chosen`, else `$MOVIESYNC_JOURNAL`; nil where only the daemon can tell.
    func journal(chosen: String?) -> String? { chosen ?? value("MOVIESYNC_JOURNAL") }

    /// Where the journal is while no daemon answers: the user's own if its folder is there, else the system's.
    func journalWithoutDaemon() -> String {
        if let stateFolder, exists(stateFolder) { return stateFolder + "/journal.jsonl" }
        return "/var/spool/moviesync/journal.jsonl"
    }

    /// Where the user's own daemon keeps its state.
    private var stateFolder: String? {
        (value("XDG_STATE_HOME") ?? value("HOME").map { $0 + "/.local/state" }).map { $0 + "/moviesync" }
    }

    private func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
}
