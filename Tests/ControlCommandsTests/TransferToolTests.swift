import ControlTestSupport
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import ControlCommands

struct TransferToolTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    private func edits(_ value: JSONValue) throws -> [JournalEdit] {
        try ArtistImportCommand.edits(of: value, FakeControlService.artists)
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
