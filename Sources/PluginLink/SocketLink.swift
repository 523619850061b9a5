internal import NIOCore
internal import NIOPosix
internal import OperatingSystem
package import PluginWire

/// A plugin that is reached over a Unix socket: a unit of its own, started by the service manager.
///
/// At the end this side says that nothing more comes; where the other does not close within 2 s, the connection is cut.
package struct SocketLink: PluginLink {
    private let path: String

    package init(path: String) { self.path = path }

    package func run(_ input: PluginInput, _ handlers: PluginHandlers) async -> PluginEnding {
        do {
            try checkOwner()
            let channel = try await connect()
            try await channel.executeThenClose { inbound, outbound in
                handlers.opened(nil)
                await SocketLink.carry(inbound, outbound, input, handlers)
            }
            return .closed
        } catch {
            handlers.outputEnded()
            return .unopened(words(error))
        }
    }

    /// Secrets are told to whoever listens: that must be this user's or root's doing.
    private func checkOwner() throws(SystemError) {
        let there = try FileIdentity.of(path: path)
        guard there.kind == .socket else {
            throw SystemError(code: 0, operation: "connect to", path: path, detail: "it is no socket")
        }
        guard there.owner == 0 || there.owner == ThisProcess.user else {
            throw SystemError(
                code: 0, operation: "use", path: path,
                detail: "it belongs to another user (\(there.owner)): set SocketUser to this one")
        }
    }

    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connectTimeout(.seconds(5))
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
    }

    private static func carry(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        _ input: PluginInput, _ handlers: PluginHandlers
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // An error means the end, too: the other side has gone.
                do {
                    for try await piece in inbound { handlers.output(Array(piece.readableBytesView)[...]) }
                } catch {}
                handlers.outputEnded()
            }
            await input.forEach { bytes in
                do {
                    try await outbound.write(ByteBuffer(bytes: bytes))
                    return true
                } catch {
                    return false
                }
            }
            outbound.finish()
            let patience = input.isPatient ? Duration.seconds(2) : .zero
            group.addTask { try? await Task.sleep(for: patience) }
            // The end of its output, or the end of patience.
            await group.next()
            group.cancelAll()
        }
    }

    private func words(_ error: any Error) -> String {
        switch error {
        case let error as SystemError: error.description
        case let error as IOError:
            "nobody listens at \(path): \(SystemError(code: error.errnoCode, operation: "connect"))"
        default: "cannot connect to \(path): \(error)"
        }
    }
}
