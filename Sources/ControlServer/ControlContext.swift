internal import ControlAPI
internal import Hummingbird
internal import NIOCore
internal import OperatingSystem

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
        let name = NIOBSDSocket.Option(rawValue: PeerCredentials.option)
        let peer: PeerCredentials? = try? await options.unsafeGetSocketOption(level: .socket, name: name).get()
        return peer?.user
    }
}
