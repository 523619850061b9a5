import ControlAPI
import Foundation
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Plugins in other processes, under a whole daemon.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct PluginTests {
    private static let hello =
        #"{\"id\":1,\"ok\":{\"protocol\":1,\"name\":\"sh\",\"version\":\"1\",\"provides\":{\"hook\":{}}}}"#
    /// Answers `hello`, and then nothing.
    private static let good = "#!/bin/sh\nread -r line\necho \"\(hello)\"\ncat > /dev/null\n"

    private func write(_ text: String, _ name: String, in folder: FilePath) throws -> String {
        let path = folder.appending(name).string
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    /// How a plugin is, as soon as it is so.
    private func plugin(_ name: String, _ state: PluginReply.State, of node: Node, _ event: String) async throws
        -> PluginReply
    {
        try await node.program?.logged(event)
        let page = try await node.control("GET", "/v1/plugins").read(Page<PluginReply>.self)
        let reply = try #require(page.items.first { $0.name == name })
        #expect(reply.state == state)
        return reply
    }

    @Test func `the sync goes on beside plugins that run, flood and die`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.more = """
                plugins:
                  good: {command: ["\(try write(Self.good, "good", in: site.folder))"]}
                  flood: {command: ["\(try write("#!/bin/sh\nexec yes\n", "flood", in: site.folder))"]}
                  mute: {command: ["\(try write("#!/bin/sh\nexec sleep 1000\n", "mute", in: site.folder))"]}
                """
            let node = try await site.node("a", hub.url, settings)
            try node.append("create", "6F9619FF-8B86-4011-B42D-00C04FC964F1", #"{"title":"Alien","hasWatched":false}"#)
            try await node.settled()
            let good = try await plugin("good", .running, of: node, "plugin.started")
            #expect(good.trust == .child && good.program == "sh")
            try await node.program?.logged("plugin.failed")
            let flood = try #require(try await node.status().plugins?.first { $0.name == "flood" })
            #expect(flood.failures > 0)
            #expect(flood.reason?.hasPrefix(#"it printed "y", which is no JSON object"#) == true)
            // It floods again before it can be called.
            #expect(try await node.tool(["plugin", "restart", "flood"]).code == 70)
            let list = try await node.tool(["plugin", "list"], json: false)
            #expect(list.output.contains("trusted as the daemon itself"))
            try node.append("update", "6F9619FF-8B86-4011-B42D-00C04FC964F1", #"{"hasWatched":true}"#)
            try await node.settled()
            #expect(try await hub.records().count == 1)
            #expect(try await node.stop() == .exited(0))
        }
    }

    @Test func `a plugin ends with a daemon that is killed`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            let held = try HeldPipe(path: site.folder.appending("held").string)
            let program = try write(
                "#!/bin/sh\nread -r line\necho \"\(Self.hello)\"\nexec cat > '\(held.path)'\n", "good",
                in: site.folder)
            settings.more = "plugins: {good: {command: [\"\(program)\"]}}"
            let node = try await site.node("a", hub.url, settings)
            try await within(.seconds(20), "the plugin opens the pipe") { await held.untilOpened() }
            try await node.kill()
            try await within(.seconds(20), "the plugin ends") { await held.untilReleased() }
        }
    }

    @Test func `a reload starts and ends plugins`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            #expect(try await node.status().plugins == nil)
            var settings = NodeSettings()
            settings.more = "plugins: {good: {command: [\"\(try write(Self.good, "good", in: site.folder))\"]}}"
            try node.configure(remote: hub.url, settings)
            #expect(try await node.tool(["reload"]).json().members?["reloaded"] == ["plugins"])
            #expect(try await plugin("good", .running, of: node, "plugin.started").starts == 1)
            try node.configure(remote: hub.url)
            #expect(try await node.tool(["reload"]).json().members?["reloaded"] == ["plugins"])
            #expect(try await node.status().plugins == nil)
            try await node.program?.logged("plugin.ended")
        }
    }

    /// Whether units can be run here.
    private static let hasSystemd =
        FileManager.default.fileExists(atPath: "/run/systemd/system") && geteuid() == 0
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    @Test(.enabled(if: hasSystemd, "systemd does not run here, or this is not root, or there is no python3"))
    func `a plugin keeps all promises in the unit that is printed for it`() async throws {
        try await withSite { site in
            let page = String(
                decoding: try Data(contentsOf: URL(filePath: #filePath).appending(path: "../../../docs/plugins.md")),
                as: UTF8.self)
            let start = try #require(page.range(of: "#!/usr/bin/env python3\nimport json, sys\n\nFILMS"))
            let text = page[start.lowerBound...].prefix(
                upTo: page[start.lowerBound...].range(of: "```")?.lowerBound ?? page.endIndex)
            let name = "test-\(ProcessInfo.processInfo.processIdentifier)"
            // A place that the unit sees: /tmp is its own.
            let program = "/usr/local/bin/moviesync-plugin-\(name)"
            try Data(text.utf8).write(to: URL(filePath: program))
            defer { try? FileManager.default.removeItem(atPath: program) }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let printed = try await site.run(
                .moviesync, ["plugin", "unit", name, program], environment: [:], in: site.folder)
            let parts = printed.output.replacing("SocketUser=moviesync\n", with: "").split(separator: "# Into ")
                .map { $0.split(separator: ":\n", maxSplits: 1) }.filter { $0.count == 2 }
            let units = parts.map { (file: String($0[0]).replacing("/etc/", with: "/run/"), text: String($0[1])) }
            #expect(units.count == 2)
            defer {
                for unit in units { try? FileManager.default.removeItem(atPath: unit.file) }
                try? systemctl("daemon-reload")
            }
            for unit in units { try Data(unit.text.utf8).write(to: URL(filePath: unit.file)) }
            try systemctl("daemon-reload")
            try systemctl("start", "moviesync-plugin-\(name).socket")
            defer { try? systemctl("stop", "moviesync-plugin-\(name).socket") }
            let exam = try await site.run(
                .moviesync, ["plugin", "test", "--socket", "/run/moviesync-plugins/\(name).sock"], environment: [:],
                in: site.folder)
            #expect(exam.code == 0, "\(exam.output)")
        }
    }

    private func systemctl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/systemctl")
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw TooLate("systemctl \(arguments.joined(separator: " ")) failed") }
    }
}
