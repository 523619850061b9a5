import Movies
import SyncCore
import SyncModel
import Testing

/// What the answers of checks mean.
struct CheckCourseTests {
    private static let rules = CollectionRules(
        id: "movies", merge: MergeRules(), titleField: "title", identityFields: { Movies().identityFields($0) },
        validated: { fields throws(Defect) in try Movies().validated(fields) },
        normalized: { fields throws(Defect) in try Movies().normalized(fields) })

    private let operation = Operation(
        .create, RecordKey("movies", RecordID(high: 1, low: 1)), fields: ["title": "Alien"], at: nil, opID: nil)

    private func course(_ checks: CheckRule...) -> CheckCourse {
        CheckCourse(operation, by: checks, stored: nil, Self.rules, CheckDesk())
    }

    private func rule(_ name: String, _ whenDown: WhenDown = .wait) -> CheckRule {
        CheckRule(name: name, whenDown: whenDown)
    }

    /// What is asked next, or how it has ended, in words.
    private func words(_ course: CheckCourse) -> String {
        switch course.step {
        case .ask(let check, let fields): "\(check): \(fields["title"]?.text ?? "")"
        case .ended(.passed(_, let fields)): "passed: \(fields?["title"]?.text ?? "unasked")"
        case .ended(.refused(let defect)): "refused: \(defect)"
        case .ended(.waits(let reason)): "waits: \(reason)"
        }
    }

    @Test func `each is asked about what the one before made of the record`() {
        var course = course(rule("a"), rule("b"))
        #expect(words(course) == "a: Alien")
        course.answered(.completed(["title": "Aliens", "hasWatched": false]))
        #expect(words(course) == "b: Aliens")
        course.answered(.fine)
        #expect(words(course) == "passed: Aliens")
        course.answered(.refused("too late"))
        #expect(words(course) == "passed: Aliens")
    }

    @Test(arguments: [("1979", "passed: Aliens"), ("1980", "refused: refusedByCheck")])
    func `what an app wrote wrongly is no fault of who completes a line`(year: String, words: String) {
        let stored: [String: JSONValue] = ["title": "A", "hasWatched": false, "year": "1979"]
        let update = Operation(.update, operation.key, fields: ["title": "Alien"], at: nil, opID: nil)
        var course = CheckCourse(update, by: [rule("a")], stored: stored, Self.rules, CheckDesk())
        course.answered(.completed(["title": "Aliens", "hasWatched": false, "year": .string(year)]))
        #expect(self.words(course).hasPrefix(words))
    }

    @Test func `the first that refuses is the last that is asked`() {
        var course = course(rule("a"), rule("b"))
        course.answered(.refused("no"))
        #expect(words(course) == "refused: refusedByCheck: the check a refuses it: no")
    }

    @Test(arguments: [
        (WhenDown.accept, "passed: Alien"), (.wait, "waits: the check a can't be asked: it rests"),
        (.refuse, "refused: refusedByCheck: the check a can't be asked: it rests"),
    ])
    func `what one that can't be asked means is said by its rule`(whenDown: WhenDown, words: String) {
        var course = course(rule("a", whenDown))
        course.answered(.down("it rests"))
        #expect(self.words(course) == words)
    }

    @Test func `what the collection would refuse is refused in the name of the check that wants it`() {
        var course = course(rule("a"))
        course.answered(.completed(["hasWatched": true]))
        #expect(words(course).hasPrefix("refused: refusedByCheck: the check a wants what can't be stored: "))
    }

    @Test func `without checks, and of a collection that is not enabled, nothing is asked`() {
        #expect(words(course()) == "passed: unasked")
        let unknown = CheckCourse(operation, by: [rule("a")], stored: nil, nil, CheckDesk())
        #expect(words(unknown) == "passed: unasked")
    }
}
