import ControlAPI
import TestSupport
import Testing

/// Somebody outside who is called while all is well.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct HeartbeatTests {
    @Test func `a heartbeat is called while all is well, and its path is kept`() async throws {
        try await withSite { site in
            let receiver = try await WebhookReceiver(site)
            let hub = try await site.hub()
            let node = try Node(site, name: "a")
            var settings = NodeSettings()
            settings.more = """
                health:
                  heartbeat: {url: "http://127.0.0.1:\(receiver.port)/ping/path-of-mine", every: 1s}
                """
            try node.configure(remote: hub.url, settings)
            try await node.start()
            try await within(.seconds(20), "two beats") {
                while receiver.heard.count < 2 { try await node.settled() }
            }
            #expect(try await node.tool(["pause", "push"]).code == 0)
            try await node.program?.logged("heartbeat.withheld")
            let paused = try await node.tool(["health"])
            #expect(paused.code == 1)
            receiver.answer(500)
            #expect(try await node.tool(["resume", "push"]).code == 0)
            try await node.program?.logged("heartbeat.failed")
            receiver.answer(204)
            try await node.program?.logged("heartbeat.called")
            #expect(node.program?.said.contains { $0.contains("path-of-mine") } == false)
            try await node.stop()
        }
    }
}
