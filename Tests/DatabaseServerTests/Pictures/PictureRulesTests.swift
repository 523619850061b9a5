import Testing

@testable import DatabaseServer

struct PictureRulesTests {
    @Test func `a picture is of the person whose name has the same bytes`() throws {
        let name = "profiles/e\u{301}.jpg"
        #expect(try PictureRules.checkWriting(name, by: .person("e\u{301}")).text == name)
        #expect(throws: ObjectRefusal.self) { try PictureRules.checkWriting(name, by: .person("\u{E9}")) }
    }
}
