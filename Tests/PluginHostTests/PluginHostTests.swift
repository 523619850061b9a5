import ControlAPI
import Foundation
import Logging
import PluginHost
import PluginWire
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn) struct PluginHostTests {
    private let folder: TemporaryFolder
    private let shell: ShellPlugin

    init() throws {
        folder = try TemporaryFolder()
        shell = try ShellPlugin(in: folder)
    }

    private var plugin: PluginSettings { PluginSettings(name: "sh", way: .command([shell.path])) }

    /// Writes a secret that only its owner may read.
    private func writeKey() throws {
        try Data("hunter22\n".utf8).write(to: URL(filePath: folder("key")))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder("key"))
    }

    @Test(.timeLimit(.minutes(1))) func `a call is answered by items and an end`() async throws {
        try await RunningHost.with([plugin]) { running in
            let expected: [PluginAnswer] = [.item(["key": "1"]), .ok(["next": nil])]
            #expect(try await running.call("sh", "two") == expected)
            await #expect(throws: PluginError(.unknownCall, "no")) { try await running.call("sh", "three") }
            await #expect(throws: PluginError(.unavailable, "no plugin is called x")) {
                try await running.call("x", "two")
            }
            let reply = try await running.reply("sh", in: .running)
            #expect(reply.program == "sh" && reply.version == "1.0" && reply.provides == ["catalog": [:]])
            #expect(reply.calls == 2 && reply.failedCalls == 1 && reply.openCalls == 0 && reply.starts == 1)
            #expect(reply.trust == .child && reply.pid != nil && reply.secretsMissing == ["key", "more"])
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("die", "it ended with exit code 3"), ("lie", "it answers the call 999, which nobody made"),
            ("flood", "it printed 1001 lines that nobody waits for"),
            ("hang", "it did not end a cancelled call within 0 s"),
        ])
    func `a plugin that misbehaves is ended, rests, and others don't notice`(_ call: String, _ reason: String)
        async throws
    {
        let good = PluginSettings(name: "good", way: .command([try ShellPlugin(in: folder, name: "good.sh").path]))
        var limits = PluginLimits()
        limits.quiet = 2_000
        limits.cancel = 100
        try await RunningHost.with([plugin, good], limits: limits) { running in
            _ = try await running.reply("sh", in: .running)
            async let failure = running.failure(of: call)
            #expect(try await running.call("good", "two").count == 2)
            #expect(await failure?.code == .unavailable)
            let reply = try await until("it has failed", hearing: [running.log.bell]) {
                running.host.plugins().first { $0.name == "sh" && $0.failures == 1 }
            }
            #expect(reply.reason == reason)
            #expect(running.host.plugins().first { $0.name == "good" }?.failures == 0)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a reader may go away at the moment of an answer`() async throws {
        try await RunningHost.with([plugin]) { running in
            for wanted in 0..<300 {
                let answers = running.host.call("sh", "many", with: [:])
                await withThrowingTaskGroup { readers in
                    let first = AsyncStream.makeStream(of: Void.self)
                    readers.addTask {
                        var seen = 0
                        for try await _ in answers {
                            seen += 1
                            if seen > wanted % 100 { first.continuation.finish() }
                        }
                        first.continuation.finish()
                    }
                    for await _ in first.stream {}
                    readers.cancelAll()
                }
            }
            let after = try await running.call("sh", "two")
            #expect(after.count == 2 && running.host.plugins().first?.openCalls == 0)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `all that it has started ends with it`() async throws {
        let held = try HeldPipe(path: shell.path + ".held")
        try await RunningHost.with([plugin]) { running in
            _ = try await running.call("sh", "leave")
            try await within(.seconds(25), "it has started something") { await held.untilOpened() }
        }
        try await within(.seconds(25), "what it started ends") { await held.untilReleased() }
    }

    @Test(.timeLimit(.minutes(1))) func `a secret is told in hello alone, and stays out of the log`() async throws {
        try writeKey()
        var settings = plugin
        settings.secrets = ["key": folder("key")]
        settings.settings = ["plot": "full"]
        try await RunningHost.with([settings]) { running in
            _ = try await running.call("sh", "log")
            let line = try await until("the line is logged", hearing: [running.log.bell]) {
                running.log.lines.first { $0["event"] == "plugin.log" }
            }
            #expect(line["text"] == "the key is •••" && line["level"] == "warning")
            #expect(shell.greetings.count == 1)
            #expect(shell.greetings.first?.contains(#""secrets":{"key":"hunter22"}"#) == true)
            #expect(running.host.plugins().first?.secretsMissing == ["more"])
            guard case .ok(let value)? = try await running.call("sh", "surroundings").last else {
                throw TooLate("no answer")
            }
            #expect(value.members?["credential"] == "")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `settings that a secret kept back are told as soon as it can be read`()
        async throws
    {
        try writeKey()
        var settings = plugin
        settings.secrets = ["key": folder("key")]
        var other = settings
        other.settings = ["plot": "short"]
        try await RunningHost.with([settings]) { [other] running in
            _ = try await running.reply("sh", in: .running)
            try FileManager.default.removeItem(atPath: folder("key"))
            running.host.configure([other])
            running.host.refreshSecrets()
            let reason = running.host.plugins().first?.reason
            #expect(reason?.hasPrefix("it goes on with its old settings, as the new ones can't be read: ") == true)
            try writeKey()
            running.host.refreshSecrets()
            _ = try await running.call("sh", "two")
            #expect(shell.greetings.count == 2 && shell.greetings.last?.contains(#""plot":"short""#) == true)
            #expect(running.host.plugins().first?.reason == nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a program that others could have written is not started`() async throws {
        let open = PluginSettings(
            name: "open", way: .command([try ShellPlugin(in: folder, name: "open.sh", mode: 0o722).path]))
        let missing = PluginSettings(name: "missing", way: .command([folder("nothing")]))
        let secret = PluginSettings(name: "secret", way: .command([shell.path]), secrets: ["key": folder("no-key")])
        try await RunningHost.with([open, missing, secret]) { running in
            let reasons = try await [
                running.reply("open", in: .resting).reason, running.reply("missing", in: .resting).reason,
                running.reply("secret", in: .resting).reason,
            ]
            #expect(reasons[0]?.hasSuffix("open.sh: others may write it (mode 0722); chmod go-w") == true)
            #expect(reasons[1]?.hasPrefix("it can't be started: ") == true)
            #expect(reasons[2]?.contains("no-key") == true)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `other settings are told without a restart, another program is started`()
        async throws
    {
        let second = try ShellPlugin(in: folder, name: "second.sh")
        try await RunningHost.with([plugin]) { running in
            let before = try await running.reply("sh", in: .running)
            var settings = plugin
            settings.settings = ["plot": "short"]
            running.host.configure([settings])
            _ = try await running.call("sh", "two")
            #expect(shell.greetings.count == 2)
            #expect(running.host.plugins().first?.pid == before.pid)
            running.host.configure([PluginSettings(name: "sh", way: .command([second.path]))])
            _ = try await running.call("sh", "two")
            #expect(second.greetings.count == 1)
            running.host.configure([])
            #expect(running.host.plugins() == [])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a person restarts it`() async throws {
        try await RunningHost.with([plugin]) { running in
            let before = try await running.reply("sh", in: .running)
            try running.host.restart(plugin: "sh")
            let after = try await until("it runs again", hearing: [running.log.bell]) {
                running.host.plugins().first { $0.state == .running && $0.starts == 2 }
            }
            #expect(after.pid != before.pid && after.failures == 0)
            #expect(throws: ControlError.unknownPlugin("x")) { try running.host.restart(plugin: "x") }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a reader that goes away cancels the call`() async throws {
        var limits = PluginLimits()
        limits.cancel = 100
        try await RunningHost.with([plugin], limits: limits) { running in
            _ = try await running.reply("sh", in: .running)
            let reading = Task { try await running.call("sh", "hang") }
            reading.cancel()
            _ = try? await reading.value
            let reply = try await until("it has failed", hearing: [running.log.bell]) {
                running.host.plugins().first { $0.failures == 1 }
            }
            #expect(reply.reason == "it did not end a cancelled call within 0 s")
        }
    }
}
