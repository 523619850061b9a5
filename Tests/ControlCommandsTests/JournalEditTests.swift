import ControlAPI
import JSONText
import SyncModel
import Testing

@testable import ControlCommands

struct JournalEditTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    @Test func `a line says what, when and which edit it is`() throws {
        let edit = JournalEdit(.update, in: .default, try RecordPrefix(JournalEditTests.id), fields: ["year": 1979])
        let line = try edit.line(at: Moment(milliseconds: 1_795_205_704_120))
        #expect(
            try JSONReader.members(line) == [
                "op": "update", "collection": "movies", "id": .string(JournalEditTests.id), "fields": ["year": 1979],
                "at": "2026-11-20T20:15:04.120Z", "opID": .string(edit.opID),
            ]
        )
        #expect(!line.contains(UInt8(ascii: "\n")))
        #expect(try Operation(line: line[...], keys: .uuids).opID == edit.opID)
    }

    @Test func `a delete has no fields`() throws {
        let line = try JournalEdit(.delete, in: .default, try RecordPrefix(JournalEditTests.id)).line(at: .now())
        #expect(try JSONReader.members(line)["fields"] == nil)
        #expect(try Operation(line: line[...], keys: .uuids).fields.isEmpty)
    }

    @Test func `a record that fits no line is refused`() throws {
        let long = JSONValue.string(String(repeating: "x", count: 1 << 20))
        let edit = JournalEdit(.create, in: .default, try RecordPrefix(JournalEditTests.id), fields: ["title": long])
        #expect(throws: CommandFailure(.badData, "the record has more than 1 MiB; make its fields shorter")) {
            try edit.line(at: .now())
        }
    }

    @Test func `a record that the daemon would not take is refused`() throws {
        let edit = JournalEdit(
            .create, in: .default, try RecordPrefix(JournalEditTests.id), fields: ["title": ["a/b": 1]])
        let failure = #expect(throws: CommandFailure.self) { try edit.line(at: .now()) }
        #expect(failure?.code == .badData)
        #expect(failure?.message.contains("a/b") == true)
    }

    @Test(arguments: [
        (["add", "--wait=5", "Alien"], ["add", "--wait-seconds=5", "Alien"]),
        (["sync", "--wait"], ["sync", "--wait"]),
        (["add", "--", "--wait=5"], ["add", "--", "--wait=5"]), ([], []),
    ])
    func `a wait with a number is spelled out`(arguments: [String], expected: [String]) {
        #expect(EditOptions.spelledOut(arguments) == expected)
    }
}
