internal import ControlAPI
internal import OperatingSystem

/// The files that daemons and hubs work on: nothing may take their place.
enum DaemonFiles {
    /// What a hub has locked in the folder of its data while it runs.
    private static let hubLock = "lock"
    /// What a SQLite database begins with (https://sqlite.org/fileformat2.html).
    private static let database = Array("SQLite format 3\0".utf8)

    /// Whether a path names the journal, what the daemon keeps in its state folder, or what a hub keeps.
    static func contain(_ path: String, journal: String) -> Bool {
        guard let file = try? FileIdentity.of(path: path) else { return isOfState(path) }
        if let journal = try? FileIdentity.of(path: journal), file.isSameFile(as: journal) { return true }
        return isOfState(path) || isThere(hubLock, beside: path)
    }

    private static func isOfState(_ path: String) -> Bool {
        let names = ConfiguredPlaces.stateFiles.flatMap { [$0, $0 + "-wal", $0 + "-shm"] }
        return names.contains { path.hasSuffix("/" + $0) || path == $0 }
            && isThere(ConfiguredPlaces.lockFile, beside: path)
    }

    private static func isThere(_ name: String, beside path: String) -> Bool {
        (try? FileIdentity.of(path: Folder.containing(path) + "/" + name)) != nil
    }

    /// Whether a backup may take the place of what a path names: nothing, an empty file, or a database such as an older backup.
    static func isFreeForBackup(_ path: String) -> Bool {
        do throws(SystemError) {
            let head = try ReadableFile(path: path).read(at: 0, count: database.count)
            return head.isEmpty || head == database
        } catch {
            return !error.isPermission
        }
    }
}
