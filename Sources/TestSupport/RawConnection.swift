package import NIOCore
internal import NIOPosix

/// A connection that carries bytes as they are.
///
/// - Parameter own: the address it comes from; nil for whichever the system chooses.
/// - Returns: its bytes, which may be half closed.
package func connect(
    to address: SocketAddress, from own: SocketAddress? = nil
) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelOption(.allowRemoteHalfClosure, value: true)
    if let own { bootstrap = bootstrap.bind(to: own) }
    return try await bootstrap.connect(to: address) { channel in
        channel.eventLoop.makeCompletedFuture {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }
}

/// Sends `request` as it is, and returns what comes back until the other end closes or `enough` says so.
///
/// - Parameters:
///   - own: the address it comes from; nil for whichever the system chooses.
///   - halfClosing: whether nothing more is sent after `request`, and the other end is told so.
package func exchange(
    _ request: String, at address: SocketAddress, from own: SocketAddress? = nil, halfClosing: Bool = false,
    until enough: @Sendable (String) -> Bool = { _ in false }
) async throws -> String {
    try await connect(to: address, from: own).executeThenClose { inbound, outbound in
        try await outbound.write(ByteBuffer(string: request))
        if halfClosing { outbound.finish() }
        var text = ""
        for try await chunk in inbound {
            text += String(buffer: chunk)
            if enough(text) { break }
        }
        return text
    }
}
