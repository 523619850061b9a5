import JSONText
import SyncCore
import SyncModel
import Testing

/// What an app has written, and no program here may.
struct ForeignFieldTests {
    private let machine: MachineUnderTest

    /// A film whose year and number an app wrote as text.
    init() throws {
        machine = try MachineUnderTest()
        try machine.goLive()
        machine.server.put(
            MachineUnderTest.id(1).description,
            .record(fields: ["title": "A", "hasWatched": false, "year": "1979", "tmdbID": "348"], stamps: nil))
        try machine.tell(MachineUnderTest.id(1))
        try machine.settle()
    }

    private func update(_ fields: String) throws -> [QuarantinedItem] {
        let items = try machine.edit(#"{"op":"update","id":"\#(MachineUnderTest.id(1))","fields":\#(fields)}"#)
        try machine.settle()
        return items
    }

    @Test func `an edit of another field goes through, and leaves it as it is`() throws {
        #expect(try update(#"{"hasWatched":true,"note":"x"}"#).isEmpty)
        let fields = try machine.record(1).state.view?.fields
        #expect(fields == ["title": "A", "hasWatched": true, "year": "1979", "tmdbID": "348", "note": "x"])
        #expect(try update(#"{"year":1979}"#).isEmpty)
        #expect(try machine.record(1).state.view?.fields["year"] == 1979)
    }

    @Test(arguments: [#"{"year":"1980"}"#, #"{"title":""}"#, #"{"hasWatched":"yes"}"#, #"{"title":null}"#])
    func `one that is wrong itself does not`(fields: String) throws {
        #expect(try update(fields).map(\.defect.code).count == 1)
        #expect(try machine.record(1).state.view?.fields["year"] == "1979")
    }

    @Test func `also where the collection needs other fields`() throws {
        let rules = CollectionRules(
            id: "books", merge: MergeRules(), titleField: "title", identityFields: { _ in [:] },
            validated: { fields throws(Defect) in
                guard fields["author"]?.text != nil else { throw Defect(.missingKey, "no author") }
                if let year = fields["year"], year.whole == nil { throw Defect(.invalidValue, "year") }
                return fields
            }, normalized: { fields throws(Defect) in fields })
        let stored: [String: JSONValue] = ["title": "A", "author": "B", "year": "1979"]
        let update = Operation(.update, RecordKey("books", MachineUnderTest.id(1)), fields: ["title": "C"])
        #expect(
            CheckDesk().subject(of: update, stored: stored, rules)
                == ["title": "C", "author": "B", "year": "1979"])
    }
}
