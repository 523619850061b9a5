import ControlAPI
import Foundation
import NIOCore
import NIOPosix
import PluginHost
import PluginWire
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn) struct SocketLinkTests {
    /// Serves one plugin on a socket, connection after connection, round `body`.
    private func serving(_ path: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .bind(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture { AcceptedChannel(channel) }
            }
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    // Cancelling is how it ends.
                    try? await serve(connections)
                }
                try await body()
                group.cancelAll()
            }
        }
    }

    private func serve(
        _ connections: NIOAsyncChannelInboundStream<AcceptedChannel>
    ) async throws {
        for try await accepted in connections {
            let connection = try await accepted.served(as: NIOAsyncChannel<ByteBuffer, ByteBuffer>.self)
            try await connection.executeThenClose { inbound, outbound in
                for try await piece in inbound {
                    for line in String(buffer: piece).split(separator: "\n") {
                        try await outbound.write(ByteBuffer(string: answer(String(line))))
                    }
                }
            }
        }
    }

    private func answer(_ line: String) -> String {
        let id = line.firstMatch(of: /"id":(\d+)/)?.1 ?? "0"
        return line.contains(#""hello""#)
            ? "{\"id\":\(id),\"ok\":{\"protocol\":1,\"name\":\"far\",\"version\":\"2\",\"provides\":{\"catalog\":{}}}}\n"
            : "{\"id\":\(id),\"ok\":{}}\n"
    }

    @Test(.timeLimit(.minutes(1))) func `a plugin behind a socket is called like any other`() async throws {
        let folder = try TemporaryFolder()
        let path = folder("far.sock")
        try await serving(path) {
            try await RunningHost.with([PluginSettings(name: "far", way: .socket(path))]) { running in
                #expect(try await running.call("far", "two") == [.ok([:])])
                let reply = try await running.reply("far", in: .running)
                #expect(reply.trust == .unit && reply.pid == nil && reply.program == "far")
                try running.host.restart(plugin: "far")
                #expect(try await running.call("far", "two") == [.ok([:])])
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `says why a socket can't be used`() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder("file")))
        let settings = ["file", "nothing"].map { PluginSettings(name: $0, way: .socket(folder($0))) }
        try await RunningHost.with(settings) { running in
            let file = try await running.reply("file", in: .resting).reason
            let nothing = try await running.reply("nothing", in: .resting).reason
            #expect(file?.hasSuffix("file: it is no socket") == true)
            #expect(nothing?.contains("No such file") == true)
        }
    }
}
