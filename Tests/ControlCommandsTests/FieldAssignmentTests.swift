import ControlTestSupport
import SyncModel
import Testing

@testable import ControlCommands

struct FieldAssignmentTests {
    @Test(
        arguments: [
            ("year=1979", "year", 1979), ("rating=8.5", "rating", 8.5), ("hasWatched=true", "hasWatched", true),
            ("poster=null", "poster", nil), ("tags=[\"a\",1]", "tags", ["a", 1]), ("x={\"a\":{}}", "x", ["a": [:]]),
            ("genre=horror", "genre", "horror"), ("genre=\"1\"", "genre", "1"), ("genre=", "genre", ""),
            ("a=b=c", "a", "b=c"), ("title=1917", "title", "1917"), ("title=true", "title", "true"),
            ("title=\"null\"", "title", "null"), ("title=\"Quoted\"", "title", "Quoted"), ("title=[1]", "title", "[1]"),
            ("title=\"M\" (1931)", "title", "\"M\" (1931)"), ("title={}", "title", "{}"), ("name=311", "name", "311"),
            ("biography=null", "biography", nil), ("tags=[1,]", "tags", "[1,]"),
            ("big=123456789012345678901234567890", "big", "123456789012345678901234567890"), ("e=1e999", "e", "1e999"),
        ] as [(String, String, JSONValue)])
    func `a value is JSON where it is JSON, else a string`(text: String, field: String, value: JSONValue) throws {
        let assignment = try FieldAssignment(text, textFields: ["biography", "name", "title"])
        #expect(assignment.field == field)
        #expect(assignment.value == value)
    }

    @Test(arguments: ["", "title", "=x", "a.b=1", "a/b=1", "$a=1", "#=1", "a[0]=1", "_v=1", "a\u{7}=1"])
    func `what names no field is refused`(text: String) {
        #expect {
            try FieldAssignment(text, textFields: [])
        } throws: { error in
            (error as? CommandFailure)?.code == .usage
        }
    }

    @Test func `two values for one field are refused`() throws {
        let fields = try [String: JSONValue](assignments: ["a=1", "b=2"], in: FakeControlService.movies)
        #expect(fields == ["a": 1, "b": 2])
        #expect {
            try [String: JSONValue](assignments: ["a=1", "b=2", "a=3"], in: FakeControlService.movies)
        } throws: { error in
            (error as? CommandFailure)?.code == .usage
        }
    }

    @Test func `what is made of the id can't be set`() throws {
        #expect {
            try [String: JSONValue](assignments: ["title=A", "identifier=B"], in: FakeControlService.movies)
        } throws: { error in
            (error as? CommandFailure)?.code == .usage
        }
    }

    @Test func `what names a record can't be removed`() throws {
        let fields: [String: JSONValue] = ["title": "M", "year": .null]
        try fields.checkName(in: FakeControlService.movies)
        let failure = #expect(throws: CommandFailure.self) {
            let unnamed: [String: JSONValue] = ["title": .null, "year": .null]
            try unnamed.checkName(in: FakeControlService.movies)
        }
        #expect(failure?.code == .badData)
        #expect(failure?.message == "every record of movies has a 'title': it can't be removed")
    }

    @Test func `a collection says which fields are text`() throws {
        let fields = ["isbn=0141439580", "name=1984", "title=1984"]
        #expect(
            try [String: JSONValue](assignments: fields, in: FakeControlService.books)
                == ["isbn": "0141439580", "name": "1984", "title": 1984])
    }
}
