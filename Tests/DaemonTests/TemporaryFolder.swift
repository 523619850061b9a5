import FoundationEssentials
import SystemPackage

/// A folder that is there for the time of `body`.
func withTemporaryFolder<Result>(_ body: (FilePath) async throws -> Result) async throws -> Result {
    let folder = FilePath(FileManager.default.temporaryDirectory.path).appending("moviesync-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder.string) }
    return try await body(folder)
}

/// Makes a file with this text and mode.
func write(_ text: String, to path: FilePath, mode: Int = 0o600) throws {
    try Data(text.utf8).write(to: URL(filePath: path.string))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path.string)
}
