internal import Glibc

/// Who is at the other end of a Unix socket, as the kernel saw it connect or begin to listen.
///
/// Has the layout of `struct ucred`, which Glibc shows only to programs that ask for GNU extensions: it is what the
/// socket option ``option`` gives.
package struct PeerCredentials: Hashable, Sendable {
    package var process: Int32 = 0
    package var user: UInt32 = 0
    package var group: UInt32 = 0

    /// The option's number on the level of sockets.
    package static let option: CInt = SO_PEERCRED

    package init() {}

    /// Who listens at `path`, as the kernel saw it begin to; nil where nobody does, or too many callers wait there.
    package static func listening(at path: String) -> PeerCredentials? {
        guard path.utf8.count <= UnixListener.longestPath, let caller = try? UnixListener.connected(to: path) else {
            return nil
        }
        var peer = PeerCredentials()
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard getsockopt(caller.number, SOL_SOCKET, option, &peer, &size) == 0, peer.process > 0 else { return nil }
        return peer
    }
}
