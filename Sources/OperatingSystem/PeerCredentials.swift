internal import Glibc

/// Who is at the other end of a Unix socket, as the kernel saw it connect.
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
}
