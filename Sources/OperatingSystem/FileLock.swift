internal import Glibc
internal import Synchronization

/// The right to be the only process that works with something, held by a lock on a file.
///
/// The lock ends with ``release()``, with the last reference, or with the process; a crash leaves nothing behind. The
/// file itself stays: removing it would let two processes lock two files of one name.
package final class FileLock: Sendable {
    package let path: String
    private let descriptor: Mutex<Descriptor?>

    /// Takes the lock, or throws at once.
    ///
    /// Where another process holds it, ``SystemError/isHeldElsewhere`` is true and the message names that process. The
    /// file is made where it is missing (mode 0600) and holds the owner's process id, for people.
    package init(path: String) throws(SystemError) {
        self.path = path
        let descriptor = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOCTTY, mode: 0o600)
        guard uninterrupted({ flock(descriptor.number, LOCK_EX | LOCK_NB) }) == 0 else {
            let failure = SystemError.last("lock", path)
            guard failure.isHeldElsewhere else { throw failure }
            throw SystemError(
                code: failure.code, operation: failure.operation, path: path,
                detail: "another process holds it" + FileLock.owner(descriptor, path: path))
        }
        guard ftruncate(descriptor.number, 0) == 0 else { throw .last("write to", path) }
        try descriptor.writeAll(Array("\(getpid())\n".utf8), path: path)
        self.descriptor = Mutex(descriptor)
    }

    /// Gives the lock up; a second call does nothing.
    package func release() {
        descriptor.withLock { descriptor in
            // Closing is not enough: a child between fork and exec still has the descriptor, and with it the lock.
            if let descriptor { _ = flock(descriptor.number, LOCK_UN) }
            descriptor = nil
        }
    }

    private static func owner(_ descriptor: Descriptor, path: String) -> String {
        guard let bytes = try? descriptor.read(at: 0, count: 20, path: path) else { return "" }
        let text = String(decoding: bytes.prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
        return text.isEmpty ? "" : " (process \(text))"
    }
}

extension SystemError {
    /// True where a lock was refused because another process holds it.
    package var isHeldElsewhere: Bool { code == EWOULDBLOCK }
}
