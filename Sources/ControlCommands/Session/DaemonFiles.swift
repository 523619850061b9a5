internal import ControlAPI
internal import OperatingSystem

/// The files that a running daemon works on: nothing may take their place.
enum DaemonFiles {
    /// Whether a path names the journal, or what the daemon keeps in its state folder.
    static func contain(_ path: String, journal: String) -> Bool {
        guard let file = try? FileIdentity.of(path: path) else { return false }
        if let journal = try? FileIdentity.of(path: journal), file.isSameFile(as: journal) { return true }
        let folder = Folder.containing(path)
        guard (try? FileIdentity.of(path: folder + "/" + ConfiguredPlaces.lockFile)) != nil else { return false }
        return ConfiguredPlaces.stateFiles.contains { name in
            ["", "-wal", "-shm"].contains { suffix in
                (try? FileIdentity.of(path: folder + "/" + name + suffix))?.isSameFile(as: file) ?? false
            }
        }
    }
}
