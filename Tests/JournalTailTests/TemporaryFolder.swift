import Glibc
import OperatingSystem

/// A folder of one test, removed with all it holds.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/journal-test-XXXXXX".utf8CString)
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

/// What tests do to files, as other programs would.
enum Files {
    static func write(_ bytes: [UInt8], to path: String, _ flags: CInt = O_APPEND) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o644)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    static func write(_ text: String, to path: String, _ flags: CInt = O_APPEND) {
        write(Array(text.utf8), to: path, flags)
    }

    static func read(_ path: String) -> [UInt8] {
        guard let file = try? ReadableFile(path: path), let size = try? file.identity().size else { return [] }
        return (try? file.read(at: 0, count: Int(size))) ?? []
    }

    /// Leaves no two changes within one tick of the file system's clock, as it is between rotations in real life.
    static func tick(in folder: String) {
        let probe = folder + "/.tick"
        func now() -> UInt64 {
            unlink(probe)
            write("x", to: probe)
            return (try? FileIdentity.of(path: probe).modifiedNanoseconds) ?? 0
        }
        let start = now()
        while now() == start {}
        unlink(probe)
    }
}
