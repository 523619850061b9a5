internal import ControlAPI
internal import Glibc
internal import Hummingbird
internal import NIOCore

/// What belongs to one request: the connection it came in on.
struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The user at the other end, as the kernel saw it connect; nil where there is no telling.
    func user() async -> UInt32? {
        guard let options = channel as? any SocketOptionProvider else { return nil }
        let name = NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        let peer: PeerCredentials? = try? await options.unsafeGetSocketOption(level: .socket, name: name).get()
        return peer?.user
    }
}

/// The layout of `struct ucred`, which Glibc shows only to programs that ask for GNU extensions.
private struct PeerCredentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
}
