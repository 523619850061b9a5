import DatabaseTree
import FirebaseWire
import SyncModel
import Testing

@testable import SecurityRules

struct ReadTraceTests {
    @Test(arguments: [
        ("a/b", true), ("a/b/c", true), ("a", true), ("", true), ("a/c", false), ("b", false), ("a/bc", false),
    ]) func `what was looked at is touched from above and from below`(_ path: String, _ expected: Bool) throws {
        let trace = ReadTrace()
        let snapshot = RuleSnapshot(root: Root(""), trace: trace)
        #expect(!snapshot.descend([WireKey(unchecked: "a"), WireKey(unchecked: "b")]).exists)
        #expect(trace.isTouched(by: try WirePath(parsing: path)) == expected)
    }

    @Test(arguments: [
        ("l/x", true), ("l/x/v", true), ("l/y", false), ("q", true), ("q/deep", true), ("r", false), ("other/x", true),
    ]) func `rules note what they look at`(_ path: String, _ expected: Bool) throws {
        let text = """
            {"rules":{"l":{"$id":{".write":
            "!data.exists() && !root.child('q').exists() && newData.parent().parent().child('other').child($id).val() == null"}}}}
            """.replacing("\n", with: "")
        let trace = ReadTrace()
        let check = RuleCheck(
            rules: try Ruleset(Array(text.utf8)), auth: .null, now: 0, before: Root(""), trace: trace)
        var (after, rows) = (Root(""), RowChanges.trial)
        let place = try WirePath(parsing: "l/x")
        #expect(after.set(place, to: Node(canonical: Array("1".utf8)), &rows) && rows.changes.isEmpty)
        #expect(check.allowsWriting([place], after: after))
        #expect(trace.isTouched(by: try WirePath(parsing: path)) == expected)
    }

    @Test func `beyond its limit a trace takes places together`() throws {
        let trace = ReadTrace(around: try WirePath(parsing: "a/b"), limit: 4)
        let snapshot = RuleSnapshot(root: Root(""), trace: trace)
        func look(at path: String) throws { #expect(!snapshot.descend(try WirePath(parsing: path).keys).exists) }
        try look(at: "a/b/1")
        #expect(!trace.isTouched(by: try WirePath(parsing: "a/b/3")))
        try look(at: "a/b/2")
        #expect(trace.isTouched(by: try WirePath(parsing: "a/b/3")))
        #expect(!trace.isTouched(by: try WirePath(parsing: "c")))
        try look(at: "x/y")
        #expect(trace.isTouched(by: try WirePath(parsing: "c")))
    }
}
