import ControlAPI
import FoundationEssentials
import Glibc
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// The daemon as systemd and people start, reload and stop it.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct DaemonLifeTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
    private static let film = #"{"title":"F","hasWatched":false}"#

    /// Runs a daemon that can't start, and gives its exit code and what it said.
    private func failed(_ node: Node, _ code: Int) async throws -> String {
        let program = try await node.launch()
        #expect(try await program.ended() == .exited(code))
        return Site.text(of: program.log)
    }

    @Test(arguments: ["garbage", "empty", "flipped"]) func `a corrupt state ends with 65`(_ damage: String) async throws
    {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            for number in 100..<300 {
                try node.append("create", Self.id.dropLast(3) + "\(number)", Self.film)
            }
            try await node.settled()
            try await node.stop()
            let file = node.state.appending("state.sqlite")
            var bytes = try Data(contentsOf: URL(filePath: file.string))
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.string + end) }
            switch damage {
            case "garbage": bytes = Data("this is no database, it only stands there".utf8)
            case "empty": bytes = Data()
            default: for index in stride(from: 4096, to: bytes.count, by: 7) { bytes[index] ^= 0xFF }
            }
            try bytes.write(to: URL(filePath: file.string))
            let said = try await failed(node, 65)
            #expect(said.contains("state.sqlite"))
            #expect(try Data(contentsOf: URL(filePath: file.string)) == bytes, "left as it was")
        }
    }

    @Test func `a second daemon ends with 75`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            let same = try await site.run(.moviesyncd, ["run", "--config", node.config.string])
            #expect(same.code == 75)
            let other = site.folder.appending("other").string
            let arguments = ["--config", node.config.string, "--state", other, "--journal", other + "/j"]
            let socket = try await site.run(.moviesyncd, arguments)
            #expect(socket.code == 75)
            #expect(try await node.status().state == .running)
        }
    }

    @Test func `a place that can't be made ends with 73 or 77`() async throws {
        try await withSite { site in
            let node = try await site.node("a", "http://127.0.0.1:1", started: false)
            try Data("a file".utf8).write(to: URL(filePath: node.state.string))
            _ = try await failed(node, 73)
        }
    }

    @Test func `all that is wrong with a configuration is said at once`() async throws {
        try await withSite { site in
            let node = try await site.node("a", "http://127.0.0.1:1", started: false)
            let text = "stat: /x\nremote:\n  plugin: carrier\n  urll: x\nclock:\n  maxAhead: soon\n"
            try Data(text.utf8).write(to: URL(filePath: node.config.string))
            let said = try await failed(node, 78)
            for words in ["stat", "carrier", "urll", "soon"] { #expect(said.contains(words), "\(words)") }
        }
    }

    @Test(arguments: ["live", "silent", "down"]) func `SIGTERM ends it with 0 in time`(_ hubIs: String) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            let node = try await site.node("a", proxy.url)
            try await node.settled()
            switch hubIs {
            case "silent": proxy.behave { $0.isStream ? .pass : .silent }
            case "down": proxy.refuse(true)
            default: break
            }
            try node.append("create", Self.id, Self.film)
            try await node.until("the film") { $0.collections["movies"]?.records == 1 }
            let start = ContinuousClock.now
            #expect(try await node.stop() == .exited(0))
            #expect(start.duration(to: .now) < .seconds(10))
            #expect(!FileManager.default.fileExists(atPath: node.socketPath))
            proxy.behave { _ in .pass }
            proxy.refuse(false)
            try await node.start()
            try await site.untilEqual([node], hub, count: 1)
        }
    }

    @Test func `a hub that has said where it listens ends with 0 at SIGTERM, however soon`() async throws {
        try await withSite { site in
            for number in 1...5 {
                let hub = try await site.hub("hub-\(number)")
                hub.program?.send(SIGTERM)
                #expect(try await hub.program?.ended() == .exited(0))
            }
        }
    }

    @Test func `a hangup says to a hub that it is to be restarted`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            hub.program?.send(SIGHUP)
            try await hub.program?.logged("server.reload.ignored")
            try await hub.write("PUT", "/a", "1")
            hub.program?.send(SIGTERM)
            #expect(try await hub.program?.ended() == .exited(0))
        }
    }

    @Test func `a hangup while it starts does not end it`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url, started: false)
            let program = try await node.launch(environment: ["MOVIESYNC_NONSENSE": "1"])
            try await program.logged("variable.unknown")
            program.send(SIGHUP)
            try await program.logged("daemon.started")
            #expect(try await node.stop() == .exited(0))
        }
    }

    @Test func `systemd hears of readiness, status, reload and stop`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let notices = try site.noticeSocket()
            let node = try await site.node("a", hub.url, started: false)
            try await node.start(environment: ["NOTIFY_SOCKET": notices.path.string])
            try await notices.until("READY=1")
            try await notices.until("STATUS=synced nothing yet")
            var text = Site.text(of: node.config)
            text.replace("level: debug", with: "level: warning")
            try Data(text.utf8).write(to: URL(filePath: node.config.string))
            node.program?.send(1)
            try await notices.until("RELOADING=1")
            try await notices.until("READY=1", times: 2)
            try Data("nonsense: 1\n".utf8).write(to: URL(filePath: node.config.string))
            #expect(try await node.tool(["reload"]).code == 65)
            let rejected = "STATUS=synced nothing yet; the new configuration is rejected, the old one stays: "
            try await notices.until(rejected + "\(node.config.string):1:1: unknown key nonsense")
            #expect(try await node.status().state == .running)
            try await node.stop()
            try await notices.until("STOPPING=1")
        }
    }

    @Test func `systemd hears that a node is synced again after a reload that connects anew`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let notices = try site.noticeSocket()
            let node = try await site.node("a", hub.url, started: false)
            try await node.start(environment: ["NOTIFY_SOCKET": notices.path.string])
            try await notices.until("STATUS=synced nothing yet")
            var text = Site.text(of: node.config)
            text.replace("[movies]", with: "[movies, artists]")
            try Data(text.utf8).write(to: URL(filePath: node.config.string))
            #expect(try await node.tool(["reload"]).code == 0)
            try await notices.until("STATUS=synced nothing yet", times: 2)
        }
    }

    @Test(arguments: ["secret", "id-token"]) func `no secret is shown anywhere`(_ kind: String) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            let secret = "s3cr3t-Pa55-" + String(repeating: "k", count: 20)
            let file = site.folder.appending("secret.txt")
            try Data((secret + "\n").utf8).write(to: URL(filePath: file.string))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.string)
            var settings = NodeSettings()
            settings.remote = "  credential: \(kind)\n  credentialFile: \"\(file)\""
            let node = try await site.node("a", proxy.url, settings)
            try node.append("create", Self.id, Self.film)
            try await proxy.until("a request with the credential") { $0.uri.contains("auth=\(secret)") }
            proxy.behave { _ in .answer(401, body: #"{"error":"Permission denied"}"#) }
            proxy.cut()
            try node.append("update", Self.id, #"{"title":"G"}"#)
            try await node.until("the remote fails") { $0.remote.lastError != nil && $0.remote.stream != .live }
            let shown =
                try await node.control("GET", "/v1/status").text + (try await node.control("GET", "/metrics").text)
            #expect(!shown.contains(secret))
            try await node.stop()
            let log = try #require(node.program).log
            #expect(!Site.text(of: log).contains(secret))
        }
    }

    @Test func `the emulator's credential is its owner`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            var settings = NodeSettings()
            settings.remote = "  credential: emulator"
            let node = try await site.node("a", proxy.url, settings)
            try await node.settled()
            #expect(proxy.requests.allSatisfy { $0.headers["authorization"] == "Bearer owner" })
        }
    }

    @Test func `the embedded hub serves a second node`() async throws {
        try await withSite { site in
            let a = try await site.node("a", "http://127.0.0.1:1", started: false)
            var text = Site.text(of: a.config)
            let port = try LastingPort.free()
            text.replace("plugin: firebase\n  url: \"http://127.0.0.1:1\"", with: "plugin: local")
            text += "\nlocal:\n  listen: 127.0.0.1:\(port)\n  data: \"\(a.folder.appending("hub"))\"\n"
            try Data(text.utf8).write(to: URL(filePath: a.config.string))
            try await a.start()
            let b = try await site.node("b", "http://127.0.0.1:\(port)")
            try b.append("create", Self.id, Self.film)
            try await a.until("the film") { $0.collections["movies"]?.records == 1 }
            try await b.settled()
            try await a.kill()
            try b.append("update", Self.id, #"{"hasWatched":true}"#)
            try await a.start()
            try await a.untilRecords("the edit") { $0[Self.id]?["hasWatched"] == true }
            #expect(try await a.stop() == .exited(0))
        }
    }

    @Test func `the root may be the base where there is no meta`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.base = ""
            settings.meta = "none"
            let (a, b) = (
                try await site.node("a", hub.url, settings), try await site.node("b", hub.url, settings)
            )
            try a.append("create", Self.id, Self.film)
            try await b.until("the film") { $0.collections["movies"]?.records == 1 }
            try b.append("update", Self.id, #"{"hasWatched":true}"#)
            try await a.untilRecords("the edit") { $0[Self.id]?["hasWatched"] == true }
            #expect(try await hub.tree("/").members?.keys.sorted() == [Self.id])
            try b.append("delete", Self.id)
            try await a.until("no film") { $0.collections["movies"]?.records == 0 }
            try await a.settled()
            try await b.settled()
            #expect(try await hub.tree("/") == .null)
            for node in [a, b] {
                try await node.stop()
                try await node.start()
                try await node.settled()
                #expect(try await node.status().collections["movies"]?.records == 0)
            }
            try await hub.write("PUT", "/\(Self.id)", #"{"identifier":"\#(Self.id)","title":"F","hasWatched":true}"#)
            for node in [a, b] { try await node.settled() }
        }
    }
}
