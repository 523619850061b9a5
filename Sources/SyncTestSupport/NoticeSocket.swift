internal import NIOCore
internal import NIOPosix
internal import Synchronization
package import SystemPackage

/// What a service manager listens on: collects what programs send.
package final class NoticeSocket: Sendable {
    package let path: FilePath
    private let texts = Mutex<[String]>([])

    init(path: FilePath) { self.path = path }

    /// All lines so far, in order.
    package var lines: [String] {
        texts.withLock { $0.flatMap { $0.split(separator: "\n").map(String.init) } }
    }

    func start(in site: Site) async throws {
        let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Collector { text in
                            self.texts.withLock { $0.append(text) }
                        })
                }
            }
            .bind(unixDomainSocketPath: path.string).get()
        site.add {
            await withTaskCancellationHandler {
                try? await channel.closeFuture.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        }
    }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let take: @Sendable (String) -> Void

    init(_ take: @escaping @Sendable (String) -> Void) { self.take = take }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(String(buffer: unwrapInboundIn(data).data))
    }
}

extension Site {
    /// A socket for `NOTIFY_SOCKET`.
    package func noticeSocket() async throws -> NoticeSocket {
        let socket = NoticeSocket(path: folder.appending("notify.sock"))
        try await socket.start(in: self)
        return socket
    }
}
