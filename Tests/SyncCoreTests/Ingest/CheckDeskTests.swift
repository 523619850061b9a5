import JSONText
import Movies
import SyncModel
import Testing

@testable import SyncCore

struct CheckDeskTests {
    private static let key = RecordKey("movies", RecordID(high: 0, low: 7))
    private static let rules = CollectionRules(
        id: "movies", merge: MergeRules(), titleField: "title", identityFields: { Movies().identityFields($0) },
        validated: { fields throws(Defect) in try Movies().validated(fields) },
        normalized: { fields throws(Defect) in try Movies().normalized(fields) })

    private static func subject(
        _ kind: Operation.Kind, _ fields: [String: JSONValue], stored: [String: JSONValue]? = nil,
        _ desk: CheckDesk = CheckDesk()
    ) -> [String: JSONValue]? {
        desk.subject(of: Operation(kind, key, fields: fields), stored: stored, rules)
    }

    @Test func `a check sees the whole record as it would be`() {
        #expect(Self.subject(.create, ["title": "A", "identifier": "x"]) == ["title": "A", "hasWatched": false])
        let stored: [String: JSONValue] = ["title": "A", "hasWatched": false, "year": 1979]
        #expect(
            Self.subject(.update, ["hasWatched": true], stored: stored)
                == ["title": "A", "hasWatched": true, "year": 1979])
    }

    @Test func `a check is asked about each line that is applied, also beside what an app wrote wrongly`() {
        let stored: [String: JSONValue] = ["title": "A", "hasWatched": false, "year": "1979"]
        #expect(
            Self.subject(.update, ["hasWatched": true], stored: stored)
                == ["title": "A", "hasWatched": true, "year": "1979"])
        #expect(Self.subject(.update, ["year": "1980"], stored: stored) == nil)
    }

    @Test func `nobody is asked about a delete, a record that is not there, or what the collection refuses`() {
        #expect(Self.subject(.delete, [:], stored: ["title": "A"]) == nil)
        #expect(Self.subject(.update, ["hasWatched": true]) == nil)
        #expect(Self.subject(.create, ["hasWatched": true]) == nil)
    }

    @Test func `what earlier lines of a batch did is seen`() {
        var desk = CheckDesk()
        desk.passed(Operation(.create, Self.key), leaving: ["title": "B", "hasWatched": false])
        #expect(desk.knows(Self.key))
        #expect(
            Self.subject(.update, ["year": 1], stored: ["title": "A"], desk)
                == ["title": "B", "hasWatched": false, "year": 1])
        desk.passed(Operation(.delete, Self.key), leaving: nil)
        #expect(Self.subject(.update, ["year": 1], stored: ["title": "A"], desk) == nil)
    }

    @Test func `a completed line names what differs, and nothing else`() {
        let asked: [String: JSONValue] = ["title": "A", "hasWatched": true, "year": 1979, "note": "x"]
        let wanted: [String: JSONValue] = ["title": "Alien", "hasWatched": true, "year": 1979.0, "genre": "horror"]
        let update = CheckDesk().completed(
            Operation(.update, Self.key, fields: ["hasWatched": true]), from: asked, to: wanted, stored: asked)
        #expect(update.operation.fields == ["hasWatched": true, "title": "Alien", "genre": "horror", "note": nil])
        let create = CheckDesk().completed(
            Operation(.create, Self.key, fields: ["title": "A", "note": "x"]), from: asked, to: wanted, stored: asked)
        #expect(create.operation.fields == ["title": "Alien", "genre": "horror"])
    }

    @Test(arguments: [true, false])
    func `what a check says of a field does not undo what was edited there while it was asked`(isEdited: Bool) throws {
        let machine = try MachineUnderTest.live(1)
        let line = #"{"op":"update","id":"\#(MachineUnderTest.id(0))","fields":{"year":1979}}"#
        let asked: [String: JSONValue] = ["title": "F0", "hasWatched": false, "year": 1979]
        let wanted = asked.merging(["title": "F zero", "note": "checked"]) { _, new in new }
        if isEdited {
            machine.put(0, MachineUnderTest.film(0, "edited there", MachineUnderTest.stamp(10)))
            try machine.tell(MachineUnderTest.id(0))
            try machine.settle()
        }
        try machine.edit([line]) { line in
            guard case .success(let operation) = line.operation else { return }
            let stored: [String: JSONValue] = ["title": "F0", "hasWatched": false]
            line = line.completed(CheckDesk().completed(operation, from: asked, to: wanted, stored: stored), nil)
        }
        try machine.settle()
        let fields = try machine.record(0).state.view?.fields
        #expect(fields?["title"] == (isEdited ? "edited there" : "F zero"))
        #expect(fields?["year"] == 1979 && fields?["note"] == "checked")
    }
}
