import ControlAPI
import ControlTestSupport
import FoundationEssentials
import JSONText
import Subprocess
import SyncModel
import SystemPackage
import TestSupport
import Testing

@testable import ControlCommands

/// The built program against a served socket.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct ToolTests {
    @Test(arguments: [
        (["status"], "moviesync  0.1.0  running"), (["status", "--json"], #""state":"running""#),
        (["--json", "status"], #""state":"running""#),
        (["list"], "Brazil"), (["list", "--filter", "alien"], "1979"),
        (["list", "--group", "watched"], "not watched (1)"),
        (["list", "--sort", "year", "--limit", "1"], "Alien\ttrue\t1979"),
        (["show", "6f96"], "1979"), (["why", "6f0"], "the remote is down"), (["holds"], "moviesync approve 7"),
        (["quarantine"], "invalidJSON"), (["quarantine", "list", "--json"], #""code":"invalidJSON""#),
        (["conflicts"], "title=Aliens"), (["changes", "--after", "1"], "2  2026-11-20T20:15:04.120Z  create"),
        (["sync"], "both sides are equal"), (["sync", "--wait=5"], "both sides are equal"), (["pause"], "paused"),
        (["resume", "push"], "resumed"), (["reload"], "now in force: log.level"),
        (["approve", "7"], "hold 7 is approved"),
        (["reject", "7"], "hold 7 is rejected"), (["approve", "7", "--dry-run"], "12 records, 12 of them deleted"),
        (["reject", "7", "--dry-run"], "nothing is changed"), (["holds"], "and 11 more"),
        (["quarantine", "drop", "3"], "3 is dropped"),
        (["history", "6f96"], "by this node"), (["undo", "--since", "2h", "--dry-run"], "nothing is changed"),
        (["quarantine", "drop", "--all"], "3 is dropped"), (["quarantine", "retry", "3", "4"], "4 is retried"),
        (["quarantine", "show", "3"], "craete"), (["quarantine", "export"], "{\"op\":\"craete\"}\n"),
        (["quarantine", "export", "3"], "{\"op\":\"craete\"}\n"),
        (["quarantine", "drop", "--up-to", "3"], "3 is dropped"),
        (["nodes"], "attic (this)  00000000000000aa"),
        (["nodes", "--json"], #""behindSeconds":7200"#), (["restore", "5"], "the loser of conflict 5 is back"),
        (["verify"], "verified"), (["metrics"], "moviesync_up 1"), (["metrics", "--json"], "moviesync_up 1"),
    ])
    func `each command answers`(arguments: [String], part: String) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let run = try await moviesync(arguments, socket: socket)
            #expect(run.exitCode == 0)
            #expect(run.output.contains(part), "\(run.output)\(run.complaint)")
            #expect(run.complaint.isEmpty)
        }
    }

    @Test func `items above a number are not meant by it`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let drop = try await moviesync(["quarantine", "drop", "--up-to", "2"], socket: socket)
            #expect(drop.exitCode == 0 && drop.output.isEmpty && drop.complaint.isEmpty)
        }
    }

    @Test func `counters are put into a file for others, which says when no daemon answers`() async throws {
        let folder = try TemporaryFolder()
        let words = ["metrics", "--textfile", folder.path]
        try await withServedSocket(FakeControlService.full()) { socket in
            let run = try await moviesync(words, socket: socket)
            #expect(run.exitCode == 0 && run.output.isEmpty, "\(run.complaint)")
            #expect(try text(folder("moviesync.prom")).contains("\nmoviesync_up 1\n"))
            let json = try JSONReader.members(try await moviesync(words + ["--json"], socket: socket).output.utf8)
            #expect(json["file"]?.text == folder("moviesync.prom") && (json["bytes"]?.whole ?? 0) > 0)
        }
        let run = try await moviesync(words, socket: folder("none.sock"))
        #expect(run.exitCode == 69)
        #expect(try text(folder("moviesync.prom")).hasSuffix("\nmoviesync_up 0\n"))
    }

    @Test func `a trace tells what became of each line about a record`() async throws {
        let folder = try TemporaryFolder()
        let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
        let lines = [
            #"{"op":"create","id":"\#(id)","opID":"one","fields":{"title":"A"}}"#, "no line",
            #"{"op":"delete","id":"7F9619FF-8B86-4011-B42D-00C04FC964FF","opID":"two"}"#,
            #"{"op":"update","id":"\#(id)","fields":{"title":"B"}}"#,
        ]
        let journal = folder("journal.jsonl")
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: journal))
        try await withServedSocket(FakeControlService.full()) { socket in
            let run = try await moviesync(["trace", "6f96", "--journal", journal], socket: socket)
            #expect(run.exitCode == 0, "\(run.complaint)")
            #expect(
                run.output.contains(": 2 lines\nbyte 0  create movies/\(id)\n    read and applied; the remote has it"))
            #expect(run.output.contains("update movies/\(id)\n    has no opID"))
            let one = try await moviesync(["trace", "two", "--journal", journal, "--json"], socket: socket)
            #expect(one.output.contains(#""state":"confirmed""#) && one.output.contains(#""opID":"two""#))
            let artist = #"{"op":"delete","collection":"artists","id":"\#(id)","opID":"three"}"#
            try Data((lines + [artist, lines[0]]).map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: journal))
            let both = try await moviesync(["trace", id, "--journal", journal], socket: socket)
            #expect(both.exitCode == 0 && both.output.contains("delete artists/\(id)\n"), "\(both.complaint)")
            #expect(both.output.components(separatedBy: "of the lines with this opID one alone").count == 3)
            let none = try await moviesync(["trace", "x", "--journal", journal], socket: socket)
            #expect(none.exitCode == 66 && none.complaint.contains("no line of"))
        }
    }

    @Test func `top tells what has come between two looks`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let run = try await moviesync(["top", "--count", "1"], socket: socket)
            #expect(run.exitCode == 0 && run.output.contains("journal lines"), "\(run.complaint)")
            #expect(try await moviesync(["top", "--count", "0"], socket: socket).exitCode == 64)
        }
        var (before, after) = (FakeControlService.full().status(), FakeControlService.full().status())
        before.journal.lines = 100
        after.journal.lines = 350
        (before.remote.bytesSent, after.remote.bytesSent) = (1_000, 4_001_000)
        let answer = TopAnswer(before, after, seconds: 2, now: FakeControlService.moment)
        #expect(answer.reply.perSecond.lines == 125 && answer.reply.perSecond.bytesSent == 2_000_000)
        let sent = answer.text(Style()).split(separator: "\n").first { $0.hasPrefix("sent") }
        #expect(sent?.contains("2.0 MB") == true && sent?.contains("4.0 MB") == true)
        after.pid += 1
        #expect(TopAnswer(before, after, seconds: 2, now: FakeControlService.moment).reply.perSecond.lines == 0)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    @Test(arguments: [1, 1_000, 6_500])
    func `a list has every record, however many pages it takes`(count: Int) async throws {
        let records = (1...count).map { number in
            var record = FakeControlService.alien
            record.id = RecordID(high: UInt64(number), low: 0x4011).description
            record.fields["title"] = .string("Film \(number)")
            return record
        }
        let service = FakeControlService()
        service.change { $0.records = records }
        try await withServedSocket(service) { socket in
            let json = try await moviesync(["list", "--json"], socket: socket)
            let expected = String(decoding: try ControlJSON.text(Page(items: records)), as: UTF8.self)
            #expect(json.output == expected + "\n")
            let text = try await moviesync(["list"], socket: socket)
            let shown = count > RecordListing.mostHeld ? records : records.sorted { title($0) < title($1) }
            #expect(text.lines.count == count + 1)
            #expect(zip(text.lines.dropFirst(), shown).allSatisfy { $0.contains($1.id) && $0.contains(title($1)) })
        }
    }

    private func title(_ record: RecordReply) -> String { record.fields["title"]?.text ?? "" }

    @Test func `a change that carries JSON is read back`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let run = try await moviesync(["changes", "--json"], socket: socket)
            let page = try ControlJSON.read(Page<ChangeReply>.self, from: Data(run.output.utf8))
            #expect(page == Page(items: [FakeControlService.change(1), FakeControlService.change(2)]))
        }
    }

    @Test(arguments: [
        (["frobnicate"], 64), (["add"], 64), (["add", " "], 64), (["add", "x", "--wait=-1"], 64),
        (["show", "zebra"], 64),
        (["set", "6f9", "title"], 64), (["list", "Films!"], 64), (["pause", "sideways"], 64),
        (["undo"], 64), (["undo", "--since", "yesterday"], 64), (["quarantine", "drop"], 64),
        (["quarantine", "drop", "3", "--all"], 64), (["quarantine", "show", "9"], 65),
        (["list", "nothing"], 65), (["list", "--filter", "nofield=1"], 64), (["list", "--sort", "yaer"], 64),
        (["list", "--columns", "title,foo"], 64), (["list", "--group", "foo"], 64), (["list", "--limit", "0"], 64),
        (["quarantine", "dorp"], 64), (["status", "--jsno"], 64),
        (["show", "ABC"], 66), (["show", "6f"], 65), (["toggle", "6f"], 65),
    ])
    func `what can't be done is told in one line with its code`(arguments: [String], code: Int) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let run = try await moviesync(arguments, socket: socket)
            #expect(run.exitCode == code)
            #expect(run.output.isEmpty)
            #expect(run.complaint.hasPrefix("moviesync: "))
            #expect(run.complaint.split(separator: "\n").count == 1)
            let json = try await moviesync(["--json"] + arguments, socket: socket)
            #expect(json.exitCode == code && json.output.isEmpty)
            let error = try JSONReader.members(json.complaint.utf8)["error"]?.members
            #expect(error?["code"]?.text?.isEmpty == false && error?["message"]?.text?.isEmpty == false)
        }
    }

    @Test func `of two comparisons, or backups, at once the second may be tried again later`() async throws {
        let service = FakeControlService()
        service.change { $0.failure = .verifying }
        try await withServedSocket(service) { socket in
            let run = try await moviesync(["verify"], socket: socket)
            #expect(run.exitCode == 75)
            #expect(
                run.complaint
                    == "moviesync: a comparison with the remote is under way already: try again when it has ended\n")
            service.change { $0.failure = .backingUp }
            let folder = try TemporaryFolder()
            #expect(try await moviesync(["backup", folder("copy")], socket: socket).exitCode == 75)
        }
    }

    @Test func `a path that no socket can have is told`() async throws {
        let run = try await moviesync(["status"], socket: "/" + String(repeating: "x", count: 107))
        #expect(run.exitCode == 64)
        #expect(run.complaint.contains("the socket's path has 108 bytes, but can have at most 107"), "\(run.complaint)")
    }

    @Test func `without a daemon the code is 69, and 3 for health`() async throws {
        for arguments in [["status"], ["list"], ["sync"], ["toggle", "6f9"], ["watch"]] {
            let run = try await moviesync(arguments, socket: "/nonexistent/control.sock")
            #expect(run.exitCode == 69)
            #expect(run.complaint.contains("no daemon answers at /nonexistent/control.sock"))
        }
        #expect(try await moviesync(["health"], socket: "/nonexistent/control.sock").exitCode == 3)
    }

    @Test func `who may not change anything gets 77`() async throws {
        try await withServedSocket(FakeControlService.full(), allowedUIDs: [4_294_967_294]) { socket in
            let run = try await moviesync(["approve", "7"], socket: socket)
            #expect(run.exitCode == 77)
            #expect(run.complaint.contains("sudo"))
        }
    }

    @Test(arguments: [(HealthReport.Level.ok, 0), (.warning, 1), (.critical, 2)])
    func `health has an exit code for scripts`(level: HealthReport.Level, code: Int) async throws {
        let service = FakeControlService()
        service.change { $0.health = HealthReport(level: level, reasons: ["why"]) }
        try await withServedSocket(service) { socket in
            let run = try await moviesync(["health"], socket: socket)
            #expect(run.exitCode == code)
            #expect(run.output == "\(level.rawValue)\nwhy\n")
        }
    }

    @Test(arguments: [("--wait=0.5", "sync 0.5 seconds"), ("--wait", "sync 60.0 seconds")])
    func `a wait is asked for as it was given`(argument: String, call: String) async throws {
        let service = FakeControlService()
        try await withServedSocket(service) { socket in
            let run = try await moviesync(["sync", argument], socket: socket)
            #expect(run.exitCode == 0)
            #expect(await service.calls.first { _ in true } == call)
        }
    }

    @Test func `a sync that is not done says so in its code`() async throws {
        let service = FakeControlService()
        for (pending, words) in [
            (2, "2 records pending"), (0, "nobody can tell yet whether both sides are equal"),
        ] {
            service.change { $0.sync = SyncReply(done: false, pending: pending, reasons: ["the remote is down"]) }
            try await withServedSocket(service) { socket in
                let run = try await moviesync(["sync", "--wait=1"], socket: socket)
                #expect(run.exitCode == 75)
                #expect(run.output == "\(words)\n  the remote is down\n")
            }
        }
    }

    @Test func `a sync that is done but for the quarantine does not say that all is equal`() async throws {
        let service = FakeControlService()
        service.change { $0.sync = SyncReply(done: true, pending: 0, reasons: ["2 of movies are in quarantine"]) }
        try await withServedSocket(service) { socket in
            let run = try await moviesync(["sync", "--wait=1"], socket: socket)
            #expect(run.exitCode == 0)
            let words = "both sides are equal, but for what is in quarantine\n  2 of movies are in quarantine\n"
            #expect(run.output == words)
        }
    }

    @Test(arguments: ["", ",", " , "])
    func `columns that name no field are a mistake`(columns: String) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let run = try await moviesync(["list", "--columns", columns], socket: socket)
            #expect(run.exitCode == 64 && run.output.isEmpty)
            #expect(run.complaint.contains("--columns title,year") && run.complaint.count { $0.isNewline } == 1)
        }
    }

    @Test func `watch shows changes as they come`() async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            let result = try await run(
                .path(BuiltProgram.moviesync.path), arguments: ["watch", "--json", "--socket", socket],
                input: .none, output: .sequence, error: .discarded
            ) { execution in
                #expect(await service.calls.contains("listening after 2"))
                service.publish(FakeControlService.change(3))
                for try await line in execution.standardOutput.strings() {
                    #expect(try ControlJSON.read(ChangeReply.self, from: Data(line.utf8)).seq == 3)
                    break
                }
                try execution.send(signal: .terminate)
            }
            #expect(result.terminationStatus != .exited(0))
        }
    }
}
