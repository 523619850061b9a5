import ControlAPI
import ControlTestSupport
import Foundation
import TestSupport
import Testing

@testable import ControlCommands

@Suite(.inTurn, .timeLimit(.minutes(1))) struct PluginToolTests {
    @Test func `the list says how plugins are and what they could do`() {
        let answer = PluginsAnswer(plugins: FakePluginService.samples, now: FakeControlService.moment)
        #expect(
            answer.text(Style()) == """
                plugin  state    since  version    provides  calls  failed  trust
                far     down     now                             0       0  confined by its own unit
                shelf   running  now    shelf 1.0  catalog       3       1  trusted as the daemon itself
                far: it closed the connection; moviesync plugin restart far starts it again
                shelf: it takes secrets that are not configured: key
                """)
        #expect(PluginsAnswer(plugins: [], now: FakeControlService.moment).text(Style()) == "no plugin is configured")
    }

    @Test func `status names them in a line`() {
        var status = FakeControlService.sampleStatus
        status.plugins = FakePluginService.samples
        let text = StatusAnswer(reply: status, now: FakeControlService.moment).text(Style())
        #expect(text.contains("\nplugins    far down, shelf running\n"))
    }

    @Test func `the tool lists and restarts them`() async throws {
        let plugins = FakePluginService()
        try await withServedSocket(FakeControlService.full(), plugins: plugins) { socket in
            let list = try await moviesync(["plugin"], socket: socket)
            #expect(list.exitCode == 0 && list.output.contains("confined by its own unit"))
            let json = try await moviesync(["plugin", "list", "--json"], socket: socket)
            #expect(
                try ControlJSON.read(Page<PluginReply>.self, from: Data(json.output.utf8)).items == plugins.plugins())
            let restart = try await moviesync(["plugin", "restart", "shelf"], socket: socket)
            #expect(restart.output == "the plugin shelf is started anew\n")
            let again = try await moviesync(["plugin", "restart", "far"], socket: socket)
            #expect(again.exitCode == 70 && again.complaint.contains("is down: it closed the connection"))
            let nobody = try await moviesync(["plugin", "restart", "../far"], socket: socket)
            #expect(nobody.exitCode == 65)
            #expect(nobody.complaint == "moviesync: no plugin is called '../far': the configuration names them\n")
        }
        #expect(plugins.restarted == ["shelf", "far"])
    }

    @Test(arguments: [
        ["test", "--help"], ["test", "-h"], ["test", "--live", "--help"], ["unit", "--help"],
        ["unit", "shelf", "--help"],
    ])
    func `help is no program`(arguments: [String]) async throws {
        let run = try await moviesync(["plugin"] + arguments, socket: "/s")
        #expect(run.exitCode == 0 && run.complaint.isEmpty, "\(run.complaint)")
        #expect(run.output.contains("USAGE: moviesync plugin \(arguments[0])"), "\(run.output)")
    }

    @Test func `an option that there is not is no program either`() async throws {
        for arguments in [["test", "--lively", "/bin/cat"], ["unit", "shelf", "--lively"]] {
            let run = try await moviesync(["plugin"] + arguments, socket: "/s")
            #expect(run.exitCode == 64 && run.output.isEmpty)
            #expect(run.complaint.hasPrefix("moviesync: there is no option --lively"), "\(run.complaint)")
        }
        let json = try await moviesync(["plugin", "unit", "shelf", "--json"], socket: "/s")
        #expect(json.output.hasPrefix(#"{"text":""#) && json.output.contains("ExecStart="), "\(json.complaint)")
        let configured = try await moviesync(["--config", "/c", "plugin", "test", "/nonexistent"], socket: "/s")
        #expect(!configured.complaint.contains("no option"), "\(configured.complaint)")
        let unit = try await moviesync(["plugin", "unit", "shelf", "--", "/opt/shelf", "--help"], socket: "/s")
        #expect(unit.lines.contains("ExecStart=/opt/shelf --help"), "\(unit.complaint)")
    }

    @Test func `the units name program and socket`() async throws {
        let run = try await moviesync(["plugin", "unit", "shelf", "/opt/a b/shelf", "--rate=5%", "$x"], socket: "/s")
        #expect(run.exitCode == 0)
        for line in [
            "ListenStream=/run/moviesync-plugins/shelf.sock", #"ExecStart="/opt/a b/shelf" --rate=5%% $$x"#,
            "# Into /etc/systemd/system/moviesync-plugin-shelf@.service:", "DynamicUser=yes",
            "#       socket: /run/moviesync-plugins/shelf.sock",
        ] {
            #expect(run.lines.contains { $0 == line }, "\(line)")
        }
        let usual = try await moviesync(["plugin", "unit", "shelf"], socket: "/s")
        #expect(usual.lines.contains("ExecStart=/usr/libexec/moviesync/shelf"))
        for arguments in [["Shelf"], ["shelf", "bin/shelf"], ["a\nb"]] {
            #expect(try await moviesync(["plugin", "unit"] + arguments, socket: "/s").exitCode == 64)
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"), "there is no systemd-analyze")
    )
    func `systemd finds nothing wrong with the units`() throws {
        let folder = try TemporaryFolder()
        let unit = PluginUnit(name: "shelf", command: ["/bin/cat"])
        try Data(unit.socket.utf8).write(to: URL(filePath: folder(unit.socketName)))
        try Data(unit.service.utf8).write(to: URL(filePath: folder(unit.serviceName)))
        // An instance of the service, which is how it is started.
        let instance = unit.serviceName.replacing("@", with: "@1")
        try Data(unit.service.utf8).write(to: URL(filePath: folder(instance)))
        let process = Process()
        let complaints = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
        process.arguments = ["verify", "--man=no", folder(unit.socketName), folder(instance)]
        process.standardError = complaints
        try process.run()
        let said = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said.split(separator: "\n").filter { $0.contains("moviesync-plugin") } == [])
    }

    @Test func `a plugin is tried without a daemon`() async throws {
        let folder = try TemporaryFolder()
        let program = folder("echo")
        try Data("#!/bin/sh\nread line; echo hello\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let run = try await moviesync(
            ["plugin", "test", program], socket: "/s", environment: ["PATH": "/usr/bin:/bin"])
        #expect(run.exitCode == 1)
        #expect(
            run.output == """
                failed   hello             answers hello within 10 s, and says the same when it is greeted again
                         it printed "hello", which is no JSON object: what is not for moviesync belongs on standard error
                0 passed, 1 failed, 0 skipped

                """)
        let json = try await moviesync(["plugin", "test", "--json", "--set", "a=1", program], socket: "/s")
        #expect(
            json.exitCode == 1 && json.output.contains(#""failed":1"#) && json.output.contains(#""verdict":"failed""#))
    }

    @Test(arguments: [
        ["plugin", "test"], ["plugin", "test", "--socket", "/s", "/bin/cat"], ["plugin", "test", "/nonexistent"],
        ["plugin", "test", "--set", "nothing", "/bin/cat"],
        ["plugin", "test", "--secret", "k=/nonexistent", "/bin/cat"],
        ["plugin", "test", "--only", "everything", "/bin/cat"],
    ])
    func `what can't be tried is a usage error`(_ arguments: [String]) async throws {
        let run = try await moviesync(arguments, socket: "/s")
        #expect(run.exitCode == 64)
        #expect(!run.complaint.isEmpty)
    }
}
