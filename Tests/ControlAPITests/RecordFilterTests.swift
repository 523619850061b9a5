import ControlAPI
import SyncModel
import Testing

struct RecordFilterTests {
    private static let alien: [String: JSONValue] = [
        "title": "Alien, the \\ first", "hasWatched": true, "year": 1979, "rating": 8.5, "tags": ["a"],
    ]

    @Test(arguments: [
        ("", true), ("hasWatched=true", true), ("hasWatched=false", false), ("title~alien", true),
        ("title~ALIEN", true),
        ("title~aliens", false), ("title=Alien", false), (#"title=Alien\, the \\ first"#, true), ("year=1979", true),
        ("year=1979.0", true), ("year=1980", false), ("year=x", false), ("rating=8.5", true), ("year~1979", false),
        ("hasWatched=true,title~alien", true), ("hasWatched=true,title~brazil", false), ("poster=null", true),
        ("title=null", false), ("tags=a", false), ("title~=", false), ("title~", true),
    ])
    func `a filter lets the right records through`(text: String, shown: Bool) throws {
        #expect(try RecordFilter(parsing: text).matches(RecordFilterTests.alien) == shown)
    }

    @Test(arguments: ["title", "=x", "~x", "a=b,", ",a=b", "a=b,,c=d", "title,hasWatched=true"])
    func `what is no filter is refused`(text: String) {
        #expect {
            try RecordFilter(parsing: text)
        } throws: { error in
            (error as? ControlError)?.status == 400 && (error as? ControlError)?.code == "badWhere"
        }
    }

    @Test(arguments: [
        RecordFilter(), RecordFilter([.init("title", .contains, #"a,b\c=d~e"#), .init("x", .equals, "")]),
    ])
    func `what is written is read back`(filter: RecordFilter) throws {
        #expect(try RecordFilter(parsing: filter.description) == filter)
    }
}
