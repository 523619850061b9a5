internal import Foundation
package import GRDB

extension DatabaseError {
    /// Whether a file of the database at `path`, or its folder, may not be read or written. Of some of that SQLite says only
    /// that it can't open the file.
    package func isForbidden(at path: String) -> Bool {
        switch resultCode {
        case .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY: return true
        case .SQLITE_CANTOPEN:
            let files = FileManager.default
            let present = [path, path + "-wal", path + "-shm"].filter { files.fileExists(atPath: $0) }
            let folder = (path as NSString).deletingLastPathComponent
            return !files.isWritableFile(atPath: folder)
                || !present.allSatisfy { files.isReadableFile(atPath: $0) && files.isWritableFile(atPath: $0) }
        default: return false
        }
    }
}
