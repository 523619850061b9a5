internal import Glibc

/// A file that holds a secret, looked for where the service manager puts credentials first.
package struct SecretFile: Equatable, Sendable {
    /// Why a secret can't be used; one line that never holds any of it.
    package struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        package enum Kind: Sendable { case missing, tooOpen, unreadable, tooLarge }
        package var kind: Kind
        package var description: String
    }

    package let path: String
    /// Whether the service manager keeps it: then its mode is the manager's business (owner and mode differ from
    /// version to version, and access is given by an ACL).
    package let isManaged: Bool

    /// Looks `name` up in the manager's folder (`$CREDENTIALS_DIRECTORY`), else below `folder`; an absolute name
    /// stands for itself.
    package init(_ name: String, credentialsDirectory: String?, else folder: String) {
        if let credentialsDirectory, !name.hasPrefix("/") {
            let managed = credentialsDirectory + "/" + name
            if access(managed, F_OK) == 0 {
                self.path = managed
                self.isManaged = true
                return
            }
        }
        let path = name.hasPrefix("/") ? name : folder + "/" + name
        self.path = path
        isManaged = credentialsDirectory.map { path.hasPrefix($0 + "/") } ?? false
    }

    /// Reads the secret, at most 1 MiB, without one trailing newline.
    ///
    /// Outside the manager's folder a file that the group or others may touch is refused: the mode must be 0600 or
    /// less.
    package func read() throws(Refusal) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw refusal(errno == ENOENT ? .missing : .unreadable, errno) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw refusal(.unreadable, errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw Refusal(kind: .unreadable, description: "\(path) is not a plain file")
        }
        guard isManaged || facts.st_mode & 0o077 == 0 else {
            let mode = "0" + String(facts.st_mode & 0o777, radix: 8)
            throw Refusal(
                kind: .tooOpen,
                description: "\(path) has mode \(mode), so others may read the secret: run chmod 600 on it"
            )
        }
        guard facts.st_size <= 1 << 20 else {
            throw Refusal(kind: .tooLarge, description: "\(path) is larger than 1 MiB: this is not a credential")
        }
        var bytes = try contents(descriptor, upTo: Int(facts.st_size))
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes
    }

    private func contents(_ descriptor: Int32, upTo size: Int) throws(Refusal) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw refusal(.unreadable, errno) }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    private func refusal(_ kind: Refusal.Kind, _ code: Int32) -> Refusal {
        Refusal(kind: kind, description: "\(path) can't be read: \(String(cString: strerror(code)))")
    }
}
