internal import ControlAPI
internal import OperatingSystem

/// The files that a running daemon works on: nothing may take their place.
enum DaemonFiles {
    /// Whether a path names the journal, or what the daemon keeps in its state folder.
    static func contain(_ path: String, journal: String) -> Bool {
        guard let file = try? FileIdentity.of(path: path) else { return false }
        if let journal = try? FileIdentity.of(path: journal), file.isSameFile(as: journal) { return true }
        let folder = Folder.containing(path)
        func isThere(_ name: String) -> Bool { (try? FileIdentity.of(path: folder + "/" + name)) != nil }
        let names = ConfiguredPlaces.stateFiles.flatMap { [$0, $0 + "-wal", $0 + "-shm"] }
        return names.contains { path.hasSuffix("/" + $0) || path == $0 } && isThere(ConfiguredPlaces.lockFile)
    }
}
