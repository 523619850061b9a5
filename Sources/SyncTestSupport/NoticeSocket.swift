internal import Glibc
internal import Synchronization
package import SystemPackage

/// What a service manager listens on: keeps what programs send.
package final class NoticeSocket: Sendable {
    package let path: FilePath
    private let descriptor: Int32
    private let kept = Mutex<[String]>([])

    /// Binds a datagram socket at `path`.
    init(path: FilePath) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        // The layout of sockaddr_un: two bytes of family, then the path and a zero.
        let address = [UInt8(AF_UNIX), 0] + Array(path.string.utf8) + [0]
        let bound = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, socklen_t(bytes.count)) }
        }
        guard bound == 0 else { throw TooLate(description: "cannot bind \(path)") }
    }

    deinit { close(descriptor) }

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

extension Site {
    /// A socket for `NOTIFY_SOCKET`.
    package func noticeSocket() throws -> NoticeSocket { try NoticeSocket(path: folder.appending("notify.sock")) }
}
