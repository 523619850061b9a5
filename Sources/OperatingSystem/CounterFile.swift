internal import Glibc

/// A number in a file of its own, overwritten in place.
///
/// Setting it costs one small write and waits for no disk: the number survives the end of the process at once, and a
/// power cut as soon as the system has written it out; then the one before, or none, may be there.
package final class CounterFile: Sendable {
    package let path: String
    private let descriptor: Descriptor

    /// Opens the file, or makes it with mode 0600.
    ///
    /// - Parameter other: the file that it belongs to; root's commands make it for the user whose file that is.
    package init(path: String, of other: String) throws(SystemError) {
        self.path = path
        descriptor = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOCTTY, mode: 0o600)
        guard geteuid() == 0, let owner = try? FileIdentity.of(path: other).owner, owner != 0 else { return }
        guard fchown(descriptor.number, owner, gid_t.max) == 0 else { throw .last("change the owner of", path) }
    }

    /// The number; nil where none was set or the file does not hold one.
    package func number() throws(SystemError) -> UInt64? {
        let bytes = try descriptor.read(at: 0, count: CounterFile.width + 1, path: path)
        guard bytes.count == CounterFile.width, bytes.last == 0x0A else { return nil }
        return UInt64(String(decoding: bytes.dropLast(), as: UTF8.self))
    }

    package func set(_ number: UInt64) throws(SystemError) {
        let digits = String(number)
        let text = String(repeating: "0", count: CounterFile.width - 1 - digits.utf8.count) + digits + "\n"
        try descriptor.overwrite(Array(text.utf8), at: 0, path: path)
    }

    private static let width = 21
}
