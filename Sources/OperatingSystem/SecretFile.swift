internal import Glibc

/// A file whose content must not be seen by others.
package enum SecretFile {
    /// In bytes; a longer file can't be a secret.
    private static let maxSize = 1 << 20

    /// The content, without one newline at its end.
    ///
    /// Refused (EACCES) unless the file belongs to this user or root and its mode has no bits for group and others. Below
    /// `credentials`, the folder where the system hands out secrets under its own rules, that check is left out.
    package static func read(
        at path: String, credentials: String? = ThisProcess.environment("CREDENTIALS_DIRECTORY")
    ) throws(SystemError) -> [UInt8] {
        let file = try ReadableFile(path: path)
        let identity = try file.identity()
        if !isBelow(credentials, path) {
            guard identity.owner == 0 || identity.owner == ThisProcess.user else {
                throw refusal(path, "it belongs to another user (\(identity.owner)); chown it to this one")
            }
            guard identity.mode & 0o077 == 0 else {
                throw refusal(path, "others may read it (mode 0\(String(identity.mode, radix: 8))); chmod it to 0600")
            }
        }
        guard identity.size <= UInt64(maxSize) else {
            throw SystemError(code: EFBIG, operation: "read secret", path: path, detail: "it is longer than 1 MiB")
        }
        var bytes = try file.read(at: 0, count: maxSize)
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }

    private static func refusal(_ path: String, _ detail: String) -> SystemError {
        SystemError(code: EACCES, operation: "use secret", path: path, detail: detail)
    }

    private static func isBelow(_ folder: String?, _ path: String) -> Bool {
        guard let folder = folder.flatMap(Folder.resolved), let path = Folder.resolved(path) else { return false }
        return path.hasPrefix(folder + "/")
    }
}
