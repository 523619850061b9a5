internal import FoundationEssentials
internal import Glibc
package import SystemPackage

/// A folder of one test, removed with all it holds when nobody refers to it any more.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Makes the folder, for this user alone, with a name short enough for sockets in it.
    package init() throws {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/moviesync-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Errno(rawValue: errno) }
        path = String(cString: made)
    }

    deinit {
        // A database that is closed meanwhile removes files of its own, at which a removal ends.
        for _ in 0..<10 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// The path of `name` in the folder.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }
}

/// Lends `body` a folder that is removed afterwards with all it holds.
package func withTemporaryFolder<Result>(_ body: (FilePath) async throws -> Result) async throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(FilePath(folder.path))
}
