import ControlAPI
import ControlTestSupport
import FoundationEssentials
import JSONText
import Subprocess
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Commands that edit, and what they leave in the journal.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct EditToolTests {
    private static let nowhere = "/nonexistent/control.sock"

    private static func journal(in folder: FilePath) throws -> [[String: JSONValue]] {
        try lines(of: "\(folder)/journal.jsonl").map { try JSONReader.members($0.utf8) }
    }

    @Test func `a movie is added while the daemon is down`() async throws {
        try await withTemporaryFolder { folder in
            let before = Moment.now()
            let run = try await moviesync(
                ["add", "1917", "--watched", "--field", "year=2019", "--journal", "\(folder)/journal.jsonl"],
                socket: EditToolTests.nowhere
            )
            #expect(run.exitCode == 0, "\(run.complaint)")
            let line = try #require(try EditToolTests.journal(in: folder).first)
            #expect(line["op"] == "create" && line["collection"] == "movies")
            #expect(line["id"]?.text == run.output.trimming("\n"))
            #expect(line["id"]?.text.flatMap { RecordID($0) }?.isRandom == true)
            #expect(line["fields"] == ["title": "1917", "hasWatched": true, "year": 2019])
            #expect(line["opID"]?.text.flatMap { RecordID($0) } != nil)
            let at = try #require(line["at"]?.text.flatMap { Moment($0) })
            #expect(before <= at && at <= Moment.now())
        }
    }

    @Test(
        arguments: [
            (["add", "Pink Floyd", "--collection", "artists"], "create", "artists", ["name": "Pink Floyd"]),
            (["add", "Alien"], "create", "movies", ["title": "Alien", "hasWatched": false]),
            (["add", "--", "--Alien"], "create", "movies", ["title": "--Alien", "hasWatched": false]),
            (
                ["set", FakeControlService.alienID, "year=null", "title=2001"], "update", "movies",
                ["year": nil, "title": "2001"]
            ),
            (["watched", FakeControlService.alienID.lowercased()], "update", "movies", ["hasWatched": true]),
            (["unwatched", FakeControlService.alienID], "update", "movies", ["hasWatched": false]),
            (["rm", FakeControlService.alienID], "delete", "movies", nil),
        ] as [([String], String, JSONValue, JSONValue?)])
    func `each edit is one line`(
        arguments: [String], op: String, collection: JSONValue, fields: JSONValue?
    ) async throws {
        try await withTemporaryFolder { folder in
            let run = try await moviesync(
                arguments, socket: EditToolTests.nowhere, environment: ["MOVIESYNC_JOURNAL": "\(folder)/journal.jsonl"]
            )
            #expect(run.exitCode == 0, "\(run.complaint)")
            let written = try EditToolTests.journal(in: folder)
            #expect(written.count == 1)
            #expect(written.first?["op"]?.text == op)
            #expect(written.first?["collection"] == collection)
            #expect(written.first?["fields"] == fields)
            if op != "create" { #expect(written.first?["id"]?.text == FakeControlService.alienID) }
        }
    }

    @Test func `the daemon tells about a collection that is not compiled in`() async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService.full()
            service.change { state in
                state.status.journal.path = "\(folder)/journal.jsonl"
                state.schemas.append(FakeControlService.books)
                state.records[0].collection = "books"
            }
            try await withServedSocket(service) { socket in
                for arguments in [
                    ["add", "1984", "--field", "isbn=0141"], ["set", FakeControlService.alienID, "isbn=1"],
                ] {
                    let run = try await moviesync(arguments + ["--collection", "books"], socket: socket)
                    #expect(run.exitCode == 0, "\(run.complaint)")
                }
            }
            let written = try EditToolTests.journal(in: folder)
            #expect(written.map { $0["collection"] } == ["books", "books"])
            #expect(
                written.map { $0["fields"] } == [
                    ["name": "1984", "isRead": false, "copies": 1, "isbn": "0141"], ["isbn": "1"],
                ])
        }
    }

    @Test(arguments: [
        ["add", "Emma", "--collection", "books"], ["set", FakeControlService.alienID, "a=1", "--collection", "books"],
        ["rm", FakeControlService.alienID, "--collection", "books"],
    ])
    func `an unknown collection is refused with those that are known`(arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            let journal = "\(folder)/journal.jsonl"
            let service = FakeControlService.full()
            service.change { $0.schemas = [FakeControlService.movies] }
            let down = try await moviesync(arguments + ["--journal", journal], socket: EditToolTests.nowhere)
            let up = try await withServedSocket(service) { socket in
                try await moviesync(arguments + ["--journal", journal], socket: socket)
            }
            #expect([down.exitCode, up.exitCode] == [64, 64])
            #expect(down.complaint.contains("'books'") && down.complaint.contains("artists, favourites, movies"))
            #expect(up.complaint.contains("'books'") && up.complaint.hasSuffix("there are: movies\n"))
            #expect((try? lines(of: journal)) == nil)
        }
    }

    @Test(arguments: ["watched", "unwatched", "toggle", "add"])
    func `what can't be watched is not marked`(command: String) async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService.full()
            var artist = FakeControlService.alien
            artist.collection = "artists"
            service.change { [artist] in $0.records = [artist] }
            try await withServedSocket(service) { socket in
                let run = try await moviesync(
                    [command, FakeControlService.alienID, "--collection", "artists", "--journal", "\(folder)/journal"]
                        + (command == "add" ? ["--watched"] : []), socket: socket)
                #expect(run.exitCode == 64)
                #expect(run.complaint.contains("artists"))
            }
        }
    }

    @Test func `a running daemon knows the journal and what ids begin with`() async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService.full()
            service.change { $0.status.journal.path = "\(folder)/journal.jsonl" }
            try await withServedSocket(service) { socket in
                let toggled = try await moviesync(["toggle", "6f96", "6F0", "--json"], socket: socket)
                #expect(toggled.exitCode == 0, "\(toggled.complaint)")
                #expect(toggled.lines.count == 2)
                #expect(try await moviesync(["rm", "6f0"], socket: socket).exitCode == 0)
            }
            let written = try EditToolTests.journal(in: folder)
            #expect(written.map { $0["op"] } == ["update", "update", "delete"])
            #expect(written.map { $0["fields"] } == [["hasWatched": false], ["hasWatched": true], nil])
            let (alien, brazil) = (
                JSONValue.string(FakeControlService.alienID), JSONValue.string(FakeControlService.brazilID)
            )
            #expect(written.map { $0["id"] } == [alien, brazil, brazil])
            #expect(Set(written.map { $0["opID"]?.text }).count == 3)
        }
    }

    @Test(
        arguments: [
            (.confirmed, 0, ""), (.pending, 75, "the remote does not have it: why"),
            (
                .held, 77,
                "hold 7 keeps it: why; 'moviesync holds' shows it, 'moviesync approve 7' or 'reject 7' decides"
            ),
            (.quarantined, 65, "in quarantine, as item 3: why; 'moviesync quarantine drop 3', then edit again"),
            (.refused, 65, "the remote does not have the edit, because of item 3 of the quarantine: why"),
        ] as [(EditReply.State, Int, String)])
    func `waiting says whether the remote has it, and what to do`(
        state: EditReply.State, code: Int, words: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService.full()
            let id = FakeControlService.alienID
            service.change {
                $0.status.journal.path = "\(folder)/journal.jsonl"
                $0.fates[id] = EditReply(
                    collection: "movies", id: id, opID: "", state: state, reason: "why", hold: 7, item: 3)
            }
            try await withServedSocket(service) { socket in
                let run = try await moviesync(["watched", id, "--wait=2"], socket: socket)
                #expect(run.exitCode == code && run.output == id + "\n")
                #expect(run.complaint.isEmpty == (code == 0) && run.complaint.contains(words), "\(run.complaint)")
                let atOnce = try await moviesync(["watched", id], socket: socket)
                #expect(atOnce.exitCode == ([.held, .quarantined].contains(state) ? code : 0))
            }
        }
    }

    @Test(arguments: [
        (["set", "6F000001-8B86-4011-B42D-00C04FC964FF", "year=1"], 66, "has no record 6F000001"),
        (["rm", FakeControlService.brazilID], 66, "is deleted"),
        (["set", FakeControlService.alienID, "title=null"], 65, "every record of movies has a 'title'"),
        (["watched", "--wait", "--journal", "/tmp/another.jsonl", FakeControlService.alienID], 64, "can't tell of"),
        (["add", "Emma", "--collection", "moveis"], 64, "did you mean movies?"),
    ])
    func `an edit that can't work is not appended`(arguments: [String], code: Int, words: String) async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService.full()
            service.change { state in
                state.status.journal.path = "\(folder)/journal.jsonl"
                state.records[1].deleted = true
            }
            try await withServedSocket(service) { socket in
                let run = try await moviesync(arguments, socket: socket)
                #expect(run.exitCode == code && run.output.isEmpty)
                #expect(run.complaint.contains(words), "\(run.complaint)")
            }
            #expect((try? lines(of: "\(folder)/journal.jsonl")) == nil)
        }
    }

    @Test func `without a daemon an edit is appended, and said to be unchecked`() async throws {
        try await withTemporaryFolder { folder in
            let journal = "\(folder)/journal.jsonl"
            let run = try await moviesync(
                ["rm", FakeControlService.alienID, "--journal", journal], socket: EditToolTests.nowhere)
            #expect(run.exitCode == 0)
            #expect(run.complaint.contains("the edit is in \(journal), unchecked: no daemon answers"))
            #expect(try lines(of: journal).count == 1)
        }
    }

    @Test func `the daemon's journal is known by any of its names, also before it is there`() async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService()
            service.change { $0.status.journal.path = "\(folder)/journal.jsonl" }
            try await withServedSocket(service) { socket in
                for name in ["journal.jsonl", "./journal.jsonl", "\(folder)/./journal.jsonl", "other.jsonl"] {
                    try? FileManager.default.removeItem(atPath: "\(folder)/journal.jsonl")
                    let result = try await BuiltProgram.moviesync.run(
                        ["add", "Alien", "--wait=5", "--journal", name],
                        environment: ["HOME": "/nonexistent", "MOVIESYNC_SOCKET": socket], in: folder)
                    #expect(result.code == (name == "other.jsonl" ? 64 : 0), "\(name): \(result.errors)")
                }
            }
        }
    }

    @Test func `the configuration says where the journal of a stopped daemon is, and what it collects`() async throws {
        try await withTemporaryFolder { folder in
            let config = folder.appending("conf").appending("moviesync.yaml")
            let declared = folder.appending("conf").appending("collections.d")
            try FileManager.default.createDirectory(atPath: declared.string, withIntermediateDirectories: true)
            let yaml = "state: ../state\njournal: ../\"j.jsonl\"\ncollections: {enabled: [books]}\n"
            try Data(yaml.replacing("../\"j.jsonl\"", with: "\"../journal.jsonl\"").utf8)
                .write(to: URL(filePath: config.string))
            try Data(#"{"columns":["title"],"fields":{"title":{"type":"text","required":true}}}"#.utf8)
                .write(to: URL(filePath: declared.appending("books.json").string))
            let base = ["--config", config.string]
            let run = try await moviesync(
                base + ["add", "Emma", "--collection", "books"], socket: EditToolTests.nowhere)
            #expect(run.exitCode == 0, "\(run.complaint)")
            #expect(try EditToolTests.journal(in: folder).map { $0["collection"] } == ["books"])
            let movie = try await moviesync(base + ["add", "Alien"], socket: EditToolTests.nowhere)
            #expect(movie.exitCode == 64 && movie.complaint.contains("there are: books"), "\(movie.complaint)")
        }
    }

    @Test func `a journal that can't be written is told`() async throws {
        let run = try await moviesync(
            ["add", "Alien", "--journal", "/nonexistent/journal.jsonl"], socket: EditToolTests.nowhere
        )
        #expect(run.exitCode == 74 && run.output.isEmpty)
        #expect(run.complaint.contains("/nonexistent"))
    }

    @Test(arguments: [("", 0), (EditToolTests.nowhere, 69)])
    func `an own journal is not that of a daemon which only a socket names`(socket: String, code: Int) async throws {
        try await withTemporaryFolder { home in
            let folder = home.appending(".local/state/moviesync")
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            let run = try await moviesync(["add", "Alien"], socket: socket, home: home.string)
            #expect(run.exitCode == code && run.complaint.contains("name it with --journal") == (code == 69))
            #expect((try? EditToolTests.journal(in: folder).count) == (code == 0 ? 1 : nil))
        }
    }

    @Test func `a bad journal line is shown, with code 65`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/journal.jsonl"
            #expect(
                try await moviesync(["add", "Alien", "--journal", path], socket: EditToolTests.nowhere).exitCode == 0)
            let good = try await moviesync(["journal", "verify", path], socket: EditToolTests.nowhere)
            #expect(good.exitCode == 0)
            #expect(good.output == "\(path): 1 line, all good\n")
            let size = try Data(contentsOf: URL(filePath: path)).count
            try (try Data(contentsOf: URL(filePath: path)) + Data("nonsense\n{".utf8)).write(to: URL(filePath: path))
            let bad = try await moviesync(["journal", "verify", path, "--json"], socket: EditToolTests.nowhere)
            #expect(bad.exitCode == 65)
            let reply = try JSONReader.members(bad.output.utf8)
            #expect(reply["lines"] == 2)
            #expect(reply["unfinished"] == true)
            guard case .array(let lines) = reply["bad"], let line = lines.first?.members else {
                Issue.record("no bad line in \(bad.output)")
                return
            }
            #expect(line["line"] == 2)
            #expect(line["offset"]?.whole == Int64(size))
            #expect(line["code"] == "invalidJSON")
        }
    }
}

extension String {
    fileprivate func trimming(_ end: Character) -> String { last == end ? String(dropLast()) : self }
}
