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

/// What comes back for a request with a body of so many bytes, whose sender reads nothing before all of it is sent, and asks
/// for the end of the connection.
package func exchange(
    _ request: String, bodyOf length: Int, at address: SocketAddress, isInPieces: Bool = false
) async throws -> String {
    try await connect(to: address).executeThenClose { inbound, outbound in
        let field = isInPieces ? "Transfer-Encoding: chunked" : "Content-Length: \(length)"
        try await outbound.write(
            ByteBuffer(string: "\(request) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(field)\r\n\r\n"))
        let piece = String(repeating: "a", count: 1 << 16)
        for _ in 0..<length / piece.utf8.count {
            try await outbound.write(ByteBuffer(string: isInPieces ? "10000\r\n\(piece)\r\n" : piece))
        }
        if isInPieces { try await outbound.write(ByteBuffer(string: "0\r\n\r\n")) }
        var text = ""
        for try await chunk in inbound { text += String(buffer: chunk) }
        return text
    }
}
