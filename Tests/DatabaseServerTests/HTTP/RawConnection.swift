import NIOCore
import NIOPosix

/// Sends bytes as they are, and returns what comes back until the other end closes or `enough` says so.
///
/// - Parameter halfClosing: whether nothing more is sent after `request`, and the other end is told so.
func exchange(
    _ request: String, with client: TestClient, halfClosing: Bool = false,
    until enough: @Sendable (String) -> Bool = { _ in false }
) async throws -> String {
    let place = client.base.split(separator: "/").last.map(String.init) ?? ""
    let parts = place.split(separator: ":")
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelOption(.allowRemoteHalfClosure, value: true)
        .connect(host: String(parts[0]), port: Int(parts[1]) ?? 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
            }
        }
    return try await connection.executeThenClose { inbound, outbound in
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
