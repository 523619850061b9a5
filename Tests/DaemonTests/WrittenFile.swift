import FoundationEssentials
import SystemPackage

/// Makes a file with this text and mode.
func write(_ text: String, to path: FilePath, mode: Int = 0o600) throws {
    try Data(text.utf8).write(to: URL(filePath: path.string))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path.string)
}
