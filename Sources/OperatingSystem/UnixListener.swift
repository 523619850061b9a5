internal import Glibc

/// A Unix socket that listens at a path.
package struct UnixListener: Sendable {
    package let path: String
    /// Listening, non-blocking; it belongs to whoever accepts on it, and closing it is theirs.
    package let descriptor: CInt
    private let identity: FileIdentity

    /// The most bytes of a socket's path.
    package static let longestPath = 107

    /// Listens at `path` with `mode` whatever the umask; nobody can connect before the mode is right.
    ///
    /// A socket that nobody answers on any more is replaced; where a daemon answers, where the path names anything else
    /// than a socket, or is longer than 107 bytes, the call throws and leaves it alone. The folder is made (0755) where
    /// it is missing.
    package static func bind(path: String, mode: UInt32 = 0o660) throws(SystemError) -> UnixListener {
        guard path.utf8.count <= UnixListener.longestPath, !path.isEmpty else {
            let (longest, count) = (UnixListener.longestPath, path.utf8.count)
            throw SystemError(
                code: ENAMETOOLONG, operation: "listen at", path: path,
                detail: "a socket's path has 1 to \(longest) bytes, this one \(count); choose a shorter one")
        }
        try Folder.make(Folder.containing(path))
        try clear(path)
        let socket = try makeSocket(path)
        // Born narrow, widened before anyone can connect: the umask never matters.
        guard fchmod(socket.number, mode) == 0 else { throw .last("set the mode of", path) }
        guard withAddress(path, { Glibc.bind(socket.number, $0, $1) }) == 0 else { throw .last("listen at", path) }
        guard chmod(path, mode) == 0, listen(socket.number, 128) == 0 else {
            let failure = SystemError.last("listen at", path)
            Glibc.unlink(path)
            throw failure
        }
        let identity = try FileIdentity.of(path: path, followingLinks: false)
        return UnixListener(path: path, descriptor: try socket.duplicate(), identity: identity)
    }

    /// Removes the path, unless it names another socket by now; a second call does nothing.
    package func removePath() {
        guard let now = try? FileIdentity.of(path: path, followingLinks: false), now.isSameFile(as: identity) else {
            return
        }
        Glibc.unlink(path)
    }

    /// A socket that is connected to whoever listens at `path`.
    ///
    /// - Throws: ``SystemError`` where nobody does, and where whoever does has too many callers waiting.
    static func connected(to path: String) throws(SystemError) -> Descriptor {
        let caller = try makeSocket(path)
        guard withAddress(path, { connect(caller.number, $0, $1) }) == 0 else { throw .last("connect to", path) }
        return caller
    }

    private static func makeSocket(_ path: String) throws(SystemError) -> Descriptor {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw .last("listen at", path) }
        return Descriptor(owning: number)
    }

    /// Makes the path free, if it is: by asking whoever is there.
    private static func clear(_ path: String) throws(SystemError) {
        guard let there = try? FileIdentity.of(path: path, followingLinks: false) else { return }
        guard there.kind == .socket else {
            throw SystemError(
                code: EEXIST, operation: "listen at", path: path, detail: "something that is no socket is there")
        }
        do throws(SystemError) {
            _ = try connected(to: path)
        } catch {
            switch error.code {
            case EAGAIN: break
            case ENOENT: return
            case ECONNREFUSED:
                guard Glibc.unlink(path) == 0 || errno == ENOENT else { throw .last("remove the old socket", path) }
                return
            default: throw SystemError(code: error.code, operation: "ask who listens at", path: path)
            }
        }
        throw SystemError(code: EADDRINUSE, operation: "listen at", path: path, detail: "another daemon answers there")
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
