import Glibc
import OperatingSystem

/// A folder of one test, removed with all it holds.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/system-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nowhere"
    }

    deinit { TemporaryFolder.remove(path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    private static func remove(_ path: String) {
        for name in (try? Folder.names(in: path)) ?? [] {
            if unlink(path + "/" + name) != 0 { remove(path + "/" + name) }
        }
        rmdir(path)
    }
}

func mode(of path: String) -> UInt32? { (try? FileIdentity.of(path: path, followingLinks: false))?.mode }

func text(of path: String) throws -> String {
    let file = try ReadableFile(path: path)
    return String(decoding: try file.read(at: 0, count: 1 << 20), as: UTF8.self)
}

func write(_ text: String, to path: String) throws {
    let file = try DurableFile(path: path)
    try file.truncate(to: 0)
    try file.append(Array(text.utf8))
}
