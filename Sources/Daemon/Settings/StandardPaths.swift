package import SystemPackage

/// Where things are when nobody says otherwise, by the environment of the process.
///
/// A service manager names the folders it made (`STATE_DIRECTORY`, `RUNTIME_DIRECTORY`); without one the XDG base
/// directories count, and `HOME` only below them. A relative path in any of these counts as not set.
package struct StandardPaths: Equatable, Sendable {
    /// The configuration files to look for, the first one that is there counts.
    package var configurations: [FilePath]
    /// nil where neither the service manager nor a home says where.
    package var state: FilePath?
    /// nil for "in the state folder".
    package var journal: FilePath?
    /// nil for "in the state folder".
    package var socket: FilePath?
    /// Where pictures are kept; nil for "in the state folder".
    package var artwork: FilePath?

    package init(environment: [String: String], userID: UInt32) {
        func folder(_ name: String) -> FilePath? {
            guard let first = environment[name]?.split(separator: ":").first else { return nil }
            let path = FilePath(String(first))
            return path.isAbsolute ? path : nil
        }
        let home = folder("HOME")
        let managedState = folder("STATE_DIRECTORY")
        let isSystemService = managedState?.starts(with: "/var/lib") ?? false

        let personal = folder("XDG_CONFIG_HOME") ?? home?.appending(".config")
        configurations = [personal?.appending("moviesync/moviesync.yaml")].compactMap(\.self)
        if isSystemService || userID == 0 { configurations.append("/etc/moviesync/moviesync.yaml") }
        state =
            managedState
            ?? (folder("XDG_STATE_HOME") ?? home?.appending(".local/state"))?.appending("moviesync")
        journal = isSystemService ? "/var/spool/moviesync/journal.jsonl" : nil
        socket =
            (folder("RUNTIME_DIRECTORY") ?? folder("XDG_RUNTIME_DIR")?.appending("moviesync"))?
            .appending("control.sock")
        let personalCache = (folder("XDG_CACHE_HOME") ?? home?.appending(".cache"))?.appending("moviesync")
        artwork = (folder("CACHE_DIRECTORY") ?? personalCache)?.appending("art")
    }
}
