package import NIOCore
internal import Synchronization

/// A connection between being accepted and being served.
///
/// NIO ends the process where one of its async channels is dropped unused, as those are that still wait in the accept loop when
/// it stops. So a connection becomes one only when it is served, and reads nothing before: the server's bootstrap has to set
/// `autoRead` to false for it.
package final class AcceptedChannel: Sendable {
    package let channel: any Channel
    private let isServed = Mutex(false)

    package init(_ channel: any Channel) { self.channel = channel }

    deinit {
        if !isServed.withLock({ $0 }) { channel.close(promise: nil) }
    }

    /// To be called once; `executeThenClose` has to follow.
    package func served<Inbound: Sendable, Outbound: Sendable>(
        as type: NIOAsyncChannel<Inbound, Outbound>.Type
    ) async throws -> NIOAsyncChannel<Inbound, Outbound> {
        isServed.withLock { $0 = true }
        let channel = channel
        return try await channel.eventLoop.submit {
            let served = try type.init(wrappingChannelSynchronously: channel)
            channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
            return served
        }.get()
    }
}
