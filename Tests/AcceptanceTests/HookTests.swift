import ControlAPI
import FoundationEssentials
import JSONText
import NIOCore
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Hooks under a whole daemon: programs, webhooks, plugins.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct HookTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000000" + String(10 + number) }

    /// Writes a program into the `hooks.d` of a node.
    private static func hook(_ name: String, _ script: String, of node: Node) throws {
        let folder = node.folder.appending("hooks.d")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        let path = folder.appending(name).string
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    private static func add(_ number: Int, _ title: String, to node: Node) throws {
        try node.append("create", id(number), #"{"title":"\#(title)","hasWatched":false}"#)
    }

    private static func hook(_ name: String, in status: StatusSnapshot) -> HookReply? {
        status.hooks?.first { $0.name == name }
    }

    /// The events that a program wrote down.
    private static func events(_ path: FilePath) throws -> [[String: JSONValue]] {
        try Site.text(of: path).split(separator: "\n").map { try JSONReader.members(Array($0.utf8)) }
    }

    @Test func `programs are told of each change in order, and of none twice after a restart`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url, started: false)
            let seen = site.folder.appending("seen")
            try Self.hook("note", "cat >> '\(seen)'\necho \"$MOVIESYNC_EVENT $MOVIESYNC_SEQ\" >&2", of: node)
            try await node.start()
            try Self.add(1, "Alien", to: node)
            try node.append("update", Self.id(1), #"{"hasWatched":true}"#)
            try node.append("delete", Self.id(1))
            try await node.until("three events") { Self.hook("note", in: $0)?.delivered == 3 }
            try await node.stop()
            try await node.start()
            try Self.add(2, "Aliens", to: node)
            try await node.until("one more") { Self.hook("note", in: $0)?.delivered == 1 }
            let events = try Self.events(seen)
            #expect(events.map { $0["event"] } == ["create", "update", "delete", "create"])
            #expect(events.map { $0["seq"] } == [1, 2, 3, 4])
            #expect(events[1]["before"] == ["title": "Alien", "hasWatched": false])
            #expect(events[1]["after"] == ["title": "Alien", "hasWatched": true])
            #expect(events.allSatisfy { $0["origin"] == "journal" })
            #expect(Set(events.compactMap { $0["delivery"] }).count == 4)
            #expect(try await node.tool(["hook", "list"], json: false).output.contains("note"))
        }
    }

    @Test func `a hook that fails is told again, and nobody else waits for it`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url, started: false)
            let (seen, mend) = (site.folder.appending("seen"), site.folder.appending("mend"))
            try Self.hook("bad", "[ -e '\(mend)' ] || exit 75\ncat >> '\(seen)'", of: node)
            try Self.hook("hangs", "exec sleep 1000", of: node)
            try Self.hook("floods", "yes >&2 & yes", of: node)
            try Self.hook("good", "exec cat > /dev/null", of: node)
            try await node.start()
            for number in 1...5 { try Self.add(number, "F\(number)", to: node) }
            try await node.settled()
            let status = try await node.until("the good one") { status in
                Self.hook("good", in: status)?.delivered == 5 && Self.hook("bad", in: status)?.state == .waiting
            }
            let bad = try #require(Self.hook("bad", in: status))
            #expect(bad.reason == "it ended with exit code 75" && bad.lag == 5)
            let metrics = try await node.control("GET", "/metrics").text
            #expect(metrics.contains(#"moviesync_hook_lag{hook="program:bad"} 5"#))
            #expect(try await hub.records().count == 5)
            try Data().write(to: URL(filePath: mend.string))
            #expect(try await node.tool(["hook", "retry", "bad"]).code == 0)
            try await node.until("all five") { Self.hook("bad", in: $0)?.delivered == 5 }
            #expect(try Self.events(seen).map { $0["seq"] } == [1, 2, 3, 4, 5])
            #expect(try await node.stop() == .exited(0))
        }
    }

    @Test func `a daemon that is killed before a hook is done tells it again, with the same name`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url, started: false)
            let (seen, mend) = (site.folder.appending("seen"), site.folder.appending("mend"))
            try Self.hook("slow", "cat >> '\(seen)'\necho noted >&2\n[ -e '\(mend)' ] || exec sleep 20", of: node)
            try await node.start()
            try Self.add(1, "Alien", to: node)
            try await node.program?.logged("hook.log")
            #expect(Self.hook("slow", in: try await node.status())?.state == .delivering)
            try await node.kill()
            try Data().write(to: URL(filePath: mend.string))
            try await node.start()
            try await node.until("the event") { Self.hook("slow", in: $0)?.delivered == 1 }
            let events = try Self.events(seen)
            #expect(events.count == 2 && Set(events.compactMap { $0["delivery"] }).count == 1)
        }
    }

    @Test func `what a hook refuses is put aside, shown, and tried again by hand`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url, started: false)
            let mend = site.folder.appending("mend")
            try Self.hook("picky", "[ -e '\(mend)' ] || [ $MOVIESYNC_SEQ != 2 ] || exit 65", of: node)
            try await node.start()
            for number in 1...3 { try Self.add(number, "F\(number)", to: node) }
            try await node.until("the others") { status in
                Self.hook("picky", in: status)?.delivered == 2 && Self.hook("picky", in: status)?.quarantined == 1
            }
            let failed = try await node.tool(["hook", "failed", "picky"]).items()
            #expect(failed.count == 1 && failed.first?.members?["seq"] == 2)
            #expect(try await node.tool(["health"]).code == 1)
            #expect(try await node.tool(["hook", "retry", "picky", "7"]).code == 65)
            try Data().write(to: URL(filePath: mend.string))
            #expect(try await node.tool(["hook", "retry", "picky", "2"]).code == 0)
            try await node.untilAsked("nothing aside") { Self.hook("picky", in: $0)?.quarantined == 0 }
        }
    }

    @Test func `a hook that writes to the journal is not told of that`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url, started: false)
            let seen = site.folder.appending("seen")
            let edit =
                #"{\"op\":\"update\",\"id\":\"$MOVIESYNC_ID\",\"origin\":\"plugin $MOVIESYNC_PLUGIN\","#
                + #"\"fields\":{\"note\":\"$MOVIESYNC_SEQ\"}}"#
            try Self.hook("stamp", "cat > /dev/null\necho \"\(edit)\" >> \"$MOVIESYNC_JOURNAL\"", of: node)
            try Self.hook("note", "cat >> '\(seen)'", of: node)
            try await node.start()
            try Self.add(1, "Alien", to: node)
            try await node.until("both") { status in
                Self.hook("note", in: status)?.delivered == 2 && Self.hook("stamp", in: status)?.cursor == 2
            }
            #expect(try await node.status().lastChange == 2)
            #expect(try Self.events(seen).map { $0["origin"] } == ["journal", "plugin stamp"])
            #expect(try await node.records()[Self.id(1)]?["note"] == "1")
        }
    }

    @Test func `the hook of the documentation says what was deleted`() async throws {
        try await withSite { site in
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let page = String(decoding: try Data(contentsOf: root.appending(path: "docs/plugins.md")), as: UTF8.self)
            let text = try #require(page.firstRange(of: "```sh\n#!/bin/sh\n").map { page[$0.upperBound...] })
            let script = text[..<(try #require(text.firstRange(of: "```"))).lowerBound]
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url, started: false)
            try Self.hook("deleted", String(script), of: node)
            try await node.start()
            try Self.add(1, "Alien", to: node)
            try node.append("delete", Self.id(1))
            try await node.program?.logged("deleted: Alien")
            try await node.until("both") { Self.hook("deleted", in: $0)?.delivered == 2 }
        }
    }

    @Test func `a plugin with the capability is a hook`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let seen = site.folder.appending("seen")
            let program = site.folder.appending("plugin").string
            let script = """
                #!/bin/sh
                exec jq --unbuffered -c '
                  if .call == "hello" then {id, ok: {protocol: 1, name: "n", version: "1", provides: {hook: {}}}}
                  elif .call == "hook.event" then (.with | tojson + "\\n" | stderr | empty),
                    {id, ok: {seq: .with.seq}}
                  elif .call then {id, error: {code: "unknownCall", message: .call}} else empty end' 2>> '\(seen)'
                """
            try Data(script.utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            var settings = NodeSettings()
            settings.more = "plugins: {tell: {command: [\"\(program)\"]}}"
            let node = try await site.node("a", hub.url, settings)
            try Self.add(1, "Alien", to: node)
            try await node.until("the event") { Self.hook("tell", in: $0)?.delivered == 1 }
            let hook = try #require(try await node.status().hooks?.first)
            #expect(hook.kind == .plugin && hook.lag == 0)
        }
    }
}
