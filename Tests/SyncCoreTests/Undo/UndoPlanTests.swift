import JSONText
import SyncModel
import Testing

@testable import SyncCore

struct UndoPlanTests {
    private static let rules = MergeRules(fields: ["best": .max, "first": .min, "tags": .set])

    /// A record as it is now, set before anything was changed.
    private func state(_ fields: [String: JSONValue]?, beneath deleted: [String: JSONValue]? = nil) -> RecordState {
        var state = RecordUnderTest().state
        state.known.fields = (fields ?? deleted).map { RecordUnderTest.version($0, RecordUnderTest.at(0)) }
        if fields == nil { state.known.deletion = RecordUnderTest.at(5) }
        return state
    }

    private func plan(_ was: [String: JSONValue], _ now: [String: JSONValue]) -> UndoPlan {
        let change = Change(
            sequence: 1, kind: .update, origin: .journal, key: RecordUnderTest().state.key,
            version: Version(Content(fields: now), RecordUnderTest.at(5)), at: 5,
            past: ChangePast(was: was.filter { now[$0.key] != $0.value }))
        return UndoPlan(state(now), without: [change], by: { _ in true }, UndoPlanTests.rules)
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

    @Test func `a record that comes back has the numbers that count beneath its delete`() {
        let was: [String: JSONValue] = ["title": "A", "best": 5]
        let change = Change(
            sequence: 1, kind: .delete, origin: .journal, key: RecordUnderTest().state.key,
            version: Version(nil, RecordUnderTest.at(5)), at: 5, past: ChangePast(was: was))
        let plan = UndoPlan(
            state(nil, beneath: ["title": "A", "best": 9, "first": 2]), without: [change], by: { _ in true },
            UndoPlanTests.rules)
        #expect(plan.left == ["best": "its rule is max", "first": "its rule is min"])
        #expect(plan.edit == .create(["title": "A", "best": 9, "first": 2]))
    }

    @Test func `where nothing else was changed nothing is done`() {
        #expect(plan(["best": 3], ["best": 5]).edit == nil)
    }

    /// An app's edit of a set, and the order that its members get when a node stamps it.
    @Test(arguments: [(["m", "x", "app"], true), (["m", "app"], false)] as [([String], Bool)])
    func `that the members of a set were put in order is no change since`(now: [String], isTakenBack: Bool) {
        func list(_ texts: [String]) -> [String: JSONValue] { ["tags": .array(texts.map { .string($0) })] }
        func change(_ number: UInt64, _ was: [String], _ now: [String]) -> Change {
            let version = Version(Content(fields: list(now)), RecordUnderTest.at(number))
            return Change(
                sequence: Int64(number), kind: .update, origin: .remote, key: RecordUnderTest().state.key,
                version: version, at: number, past: ChangePast(was: list(was)))
        }
        let changes = [change(1, ["m", "x"], ["x", "app", "m"]), change(2, ["x", "app", "m"], now)]
        let plan = UndoPlan(
            state(list(now)), without: changes, in: { $0 == 1 }, by: { _ in true }, UndoPlanTests.rules)
        #expect(plan.left == (isTakenBack ? [:] : ["tags": "changed since"]))
        #expect((plan.edit == .update(["tags": ["m", "x"]])) == isTakenBack && (plan.edit == nil) == !isTakenBack)
    }

    // MARK: What somebody has done since

    /// What somebody does to a film, which has the title "A" or what it says.
    enum Act: Sendable { case create, delete, update(String) }

    /// The plan for what an app did first, where people did the rest.
    private func plan(_ before: String?, _ acts: [Act]) -> UndoPlan {
        var title = before
        var changes: [Change] = []
        for (number, act) in acts.enumerated() {
            let was: [String: JSONValue] = title.map { ["title": .string($0)] } ?? [:]
            let kind: Change.Kind
            switch act {
            case .create: (kind, title) = (.create, "A")
            case .delete: (kind, title) = (.delete, nil)
            case .update(let new): (kind, title) = (.update, new)
            }
            let content = title.map { Content(fields: ["title": .string($0)]) }
            changes.append(
                Change(
                    sequence: Int64(number), kind: kind, origin: number == 0 ? .remote : .journal,
                    key: RecordUnderTest().state.key, version: Version(content, RecordUnderTest.at(UInt64(number + 1))),
                    at: UInt64(number + 1), past: ChangePast(was: was)))
        }
        let current = title.map { ["title": JSONValue.string($0)] }
        return UndoPlan(state(current), without: changes, in: { $0 == 1 }, by: { _ in true }, UndoPlanTests.rules)
    }

    @Test(
        arguments: [
            ("A", [.update("B"), .update("A"), .update("B")], ["title": "changed since"]),
            ("A", [.update("B"), .delete, .create, .update("B")], ["title": "changed since"]),
            (nil, [.create, .update("B"), .update("A")], ["": "it was changed since it was created"]),
            (nil, [.create, .delete, .create], ["": "it was changed since it was created"]),
            ("A", [.delete, .create], ["": "it was created anew since it was deleted"]),
            ("A", [.delete, .create, .delete], ["": "it was deleted again since"]),
        ] as [(String?, [Act], [String: String])])
    func `it stays also where it is the same again`(
        before: String?, acts: [Act], left: [String: String]
    ) {
        let plan = plan(before, acts)
        #expect(plan.edit == nil && plan.left == left)
    }

    /// By another node, at the time of its change, later, and in the span that is taken back.
    @Test(arguments: [(5, 9, true), (9, 9, false), (9, 10, true)] as [(UInt64, UInt64, Bool)])
    func `it stays where somebody has set it to the value that it had already`(
        time: UInt64, until: UInt64, isTakenBack: Bool
    ) {
        func change(_ number: UInt64, _ was: String, _ now: String) -> Change {
            Change(
                sequence: Int64(number), kind: .update, origin: .remote, key: RecordUnderTest().state.key,
                version: Version(Content(fields: ["title": .string(now)]), RecordUnderTest.at(number)), at: number,
                past: ChangePast(was: ["title": .string(was)]))
        }
        var state = state(["title": "C"])
        state.known.fields?.stamps.named = ["title": RecordUnderTest.at(time, node: RecordUnderTest.me)]
        let plan = UndoPlan(
            state, without: [change(4, "A", "B"), change(5, "B", "C")], in: { $0 < until }, by: { _ in true },
            UndoPlanTests.rules)
        #expect(plan.edit == (isTakenBack ? .update(["title": "A"]) : nil))
        #expect(plan.left == (isTakenBack ? [:] : ["title": "changed since"]))
    }

    @Test func `what nobody has touched since is taken back`() {
        #expect(plan("A", [.update("B")]).edit == .update(["title": "A"]))
        #expect(plan(nil, [.create]).edit == .delete)
        #expect(plan("A", [.delete]).edit == .create(["title": "A"]))
    }
}
