import ControlAPI
import ControlTestSupport
import FoundationEssentials
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import ControlCommands

struct TransferToolTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    private func edits(
        _ value: JSONValue, over saved: [RecordID: [String: JSONValue]] = [:], open: Set<RecordID> = []
    ) throws -> [JournalEdit] {
        try ArtistFile(value, FakeControlService.artists).edits(over: saved, open: open)
    }

    @Test func `an artist keeps its id, and what is not known is left out`() throws {
        let edit = try #require(
            try edits(["id": .string(TransferToolTests.id.lowercased()), "name": "A", "yearFormed": nil]).first)
        #expect(edit.kind == .create)
        #expect(edit.id.text == TransferToolTests.id)
        #expect(edit.fields == ["name": "A"])
    }

    @Test func `an artist without an id has the same one each time, and no other's`() throws {
        let floyd: JSONValue = ["name": "John Williams", "yearFormed": 1958]
        let other: JSONValue = ["name": "John Williams"]
        let first = try edits([floyd, other, floyd])
        #expect(first.count == 2)
        #expect(Set(first.map(\.id.text)).count == 2)
        #expect(try edits([other, floyd]).map(\.id.text) == first.map(\.id.text).reversed())
    }

    @Test func `who is saved as the file has it is left alone, and keeps what was added`() throws {
        let file: JSONValue = ["name": "Björk", "yearFormed": 1977.0, "biography": "", "albums": [], "solo": nil]
        let first = try #require(try edits(file).first)
        let id = try #require(RecordID(first.id.text))
        let saved: [String: JSONValue] = ["name": "Björk", "yearFormed": 1977, "biography": "mine"]
        #expect(first.kind == .create)
        #expect(try edits(file, over: [id: saved]).isEmpty)
        // Whoever waits waits for it.
        #expect(try edits(file, over: [id: saved], open: [id]).map(\.kind) == [.update])
        let changed = try edits(file, over: [id: saved.merging(["yearFormed": 1980, "note": "x"]) { $1 }])
        #expect(changed.map(\.kind) == [.update] && changed.first?.fields == ["yearFormed": 1977])
    }

    @Test func `who has an id in the file is replaced, unless nothing differs`() throws {
        let id = try #require(RecordID(TransferToolTests.id))
        let file: JSONValue = ["id": .string(TransferToolTests.id), "name": "A", "yearFormed": "0"]
        #expect(try edits(file, over: [id: ["name": "A", "biography": nil]]).isEmpty)
        #expect(try edits(file, over: [id: ["name": "A"]], open: [id]).map(\.kind) == [.create])
        let replaced = try edits(file, over: [id: ["name": "A", "biography": "later"]])
        #expect(replaced.map(\.kind) == [.create] && replaced.first?.fields == ["name": "A", "yearFormed": "0"])
    }

    @Test(.inTurn, .timeLimit(.minutes(1))) func `a file that is imported twice is saved once`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/artists.json"
            try Data(#"[{"name":"A","yearFormed":1990},{"name":"B"}]"#.utf8).write(to: URL(filePath: path))
            let service = FakeControlService()
            service.change { $0.status.journal.path = "\(folder)/journal.jsonl" }
            try await withServedSocket(service) { socket in
                let first = try await moviesync(["artist", "import", path], socket: socket)
                #expect(first.exitCode == 0 && first.lines.count == 2 && first.complaint.isEmpty, "\(first.complaint)")
                let written = try lines(of: "\(folder)/journal.jsonl").map { try JSONReader.members($0.utf8) }
                let saved = written.map { line in
                    RecordReply(
                        collection: "artists", id: line["id"]?.text ?? "", fields: line["fields"]?.members ?? [:],
                        stamp: "")
                }
                service.change { $0.records = saved }
                let again = try await moviesync(["artist", "import", path], socket: socket)
                #expect(again.exitCode == 0 && again.output.isEmpty)
                #expect(
                    again.complaint.contains("saved already as the file says: 2 of 2 artists"), "\(again.complaint)")
                #expect(try lines(of: "\(folder)/journal.jsonl").count == 2)
            }
        }
    }

    @Test(
        arguments: [
            ("A", "artist 1"), ([["name": "A"], ["biography": "B"]], "artist 2"), ([["name": " "]], "name"),
            ([["name": "A", "id": 5]], "UUID"),
            ([["name": "A"], ["name": "B", "yearFormed": "1990"]], "artist 2, B: "),
            ([["name": "A", "id": .string(id)], ["name": "B", "id": .string(id)]], "artist 2"),
        ] as [(JSONValue, String)])
    func `a file with anything wrong says what and where`(_ value: JSONValue, _ word: String) {
        let failure = #expect(throws: CommandFailure.self) { try edits(value) }
        #expect(failure?.code == .badData)
        #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "")")
    }

    @Test func `favourites of apps are truths, in either spelling`() throws {
        #expect(
            try FavouriteImportCommand.marks(in: ["348": true, "679": 0, "68": 1])
                == ["348": true, "679": false, "68": true])
        for wrong in [["348"], ["348": "yes"], ["348": 2], ["348": nil]] as [JSONValue] {
            #expect(throws: CommandFailure.self) { try FavouriteImportCommand.marks(in: wrong) }
        }
    }
}
