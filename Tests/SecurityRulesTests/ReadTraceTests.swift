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
}
