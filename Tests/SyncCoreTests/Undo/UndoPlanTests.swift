import JSONText
import SyncModel
import Testing

@testable import SyncCore

struct UndoPlanTests {
    private static let rules = MergeRules(fields: ["best": .max, "first": .min, "tags": .set])

    private func plan(_ was: [String: JSONValue], _ now: [String: JSONValue]) -> UndoPlan {
        let change = Change(
            sequence: 1, kind: .update, origin: .journal, key: RecordUnderTest().state.key,
            version: Version(Content(fields: now), RecordUnderTest.at(5)), at: 5,
            past: ChangePast(was: was.filter { now[$0.key] != $0.value }))
        return UndoPlan(now, without: [change], by: { _ in true }, UndoPlanTests.rules)
    }

    @Test func `a number that its rule puts back at once is left`() {
        let plan = plan(
            ["title": "A", "best": 3, "first": 9, "tags": ["a"]], ["title": "B", "best": 5, "first": 2, "tags": ["b"]])
        #expect(plan.left == ["best": "its rule is max", "first": "its rule is min"])
        #expect(plan.edit == .update(["title": "A", "tags": ["a"]]))
    }

    @Test func `one that its rule lets go of is taken back`() {
        let plan = plan(["best": 7, "first": 1], ["best": 5, "first": 2])
        #expect(plan.left.isEmpty && plan.edit == .update(["best": 7, "first": 1]))
    }

    @Test func `where nothing else was changed nothing is done`() {
        #expect(plan(["best": 3], ["best": 5]).edit == nil)
    }
}
