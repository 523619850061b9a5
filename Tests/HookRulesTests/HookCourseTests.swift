import JSONText
import SyncModel
import Testing

@testable import HookRules

struct HookCourseTests {
    private static let day: UInt64 = 86_400_000

    private static func change(
        _ sequence: Int64, _ origin: Change.Origin = .journal, kind: Change.Kind = .update,
        collection: CollectionID = "movies", fields: [String: JSONValue]? = ["title": "B"],
        was: [String: JSONValue]? = nil
    ) -> Change {
        Change(
            sequence: sequence, kind: kind, origin: origin, key: RecordKey(collection, RecordID(high: 0, low: 7)),
            version: Version(fields.map { Content(fields: $0) }, .zero),
            at: 1_000, past: was.map { ChangePast(was: $0) })
    }

    private static func course(_ stored: StoredHook = StoredHook(name: "program:x", cursor: 4)) -> HookCourse {
        HookCourse(name: "x", collections: [], stored)
    }

    @Test func `what a hook wrote itself it is not told of, what another one wrote it is`() {
        let course = Self.course()
        #expect(!course.concerns(Self.change(5, .plugin("x"))))
        for origin in [.plugin("y"), .journal, .remote, .decision] as [Change.Origin] {
            #expect(course.concerns(Self.change(5, origin)))
        }
        let books = HookCourse(name: "x", collections: ["books"], StoredHook(name: "program:x", cursor: 0))
        #expect(!books.concerns(Self.change(5)))
        #expect(books.concerns(Self.change(5, collection: "books")))
    }

    @Test func `an event is tried for a day, ever more seldom, and then put aside`() {
        var course = Self.course()
        var now: UInt64 = 1_000_000
        let begin = now
        var pauses: [UInt64] = []
        while course.attempted(5, .failed("no"), at: now) == .again {
            guard case .waiting(let until, "no") = course.phase else { break }
            #expect(course.stored.cursor == 4)
            pauses.append(until - now)
            now = until
        }
        #expect(pauses.prefix(5) == [1_000, 2_000, 4_000, 8_000, 16_000])
        #expect(pauses.max() == 3_600_000 && pauses == pauses.sorted())
        #expect(now - begin >= Self.day && now - begin < Self.day + 3_600_001)
        #expect(course.stored.cursor == 5 && course.stored.since == nil && course.phase == .ready)
        // The next one has a day of its own.
        #expect(course.attempted(6, .failed("no"), at: now) == .again)
    }

    @Test func `the day goes on across restarts`() {
        var stored = StoredHook(name: "program:x", cursor: 4)
        stored.since = 1_000
        stored.attempts = 9
        var course = Self.course(stored)
        #expect(course.attempted(5, .failed("no"), at: 1_000 + Self.day) == .putAside("no"))
    }

    @Test func `what is refused is put aside at once, what is off waits for a person`() {
        var course = Self.course()
        #expect(course.attempted(5, .refused("never"), at: 1) == .putAside("never"))
        #expect(course.stored.cursor == 5)
        #expect(course.attempted(6, .off("gone"), at: 1) == .stop)
        #expect(course.phase == .off("gone") && course.stored.cursor == 5)
        #expect(Self.course(course.stored).phase == .off("gone"))
        course.resume()
        #expect(course.phase == .ready && course.stored.off == nil)
        #expect(course.attempted(6, .taken, at: 1) == .next)
        #expect(course.stored.cursor == 6 && course.stored.attempts == 0)
    }

    @Test func `a hook is waited for as long as it asks, a day at most`() {
        var course = Self.course()
        _ = course.attempted(5, .failed("slow down", retryAfter: 30), at: 0)
        #expect(course.phase == .waiting(until: 30_000, reason: "slow down"))
        _ = course.attempted(5, .failed("slow down", retryAfter: .infinity), at: 0)
        #expect(course.phase == .waiting(until: 86_400_000, reason: "slow down"))
        _ = course.attempted(5, .failed("slow down", retryAfter: -5), at: 0)
        #expect(course.phase == .waiting(until: 4_000, reason: "slow down"))
    }

    @Test func `a hook is told of what is no longer kept`() {
        let course = Self.course()
        #expect(course.gap(before: Self.change(5), node: "n") == nil)
        let gap = course.gap(before: Self.change(9), node: "n")
        #expect(gap?.members["from"] == 5 && gap?.members["to"] == 8 && gap?.sequence == 8 && gap?.word == "gap")
        #expect(gap.map { HookEvent(text: $0.text) } == gap)
    }

    @Test func `an event has the fields before and after`() {
        let event = HookEvent(
            Self.change(5, .plugin("y"), fields: ["title": "B", "year": 1], was: ["title": "A", "year": nil]), node: "n"
        )
        #expect(event.members["before"] == ["title": "A"])
        #expect(event.members["after"] == ["title": "B", "year": 1])
        #expect(event.members["origin"] == "plugin y" && event.delivery == "n-5")
        #expect(HookEvent(text: event.text) == event)
        let deleted = HookEvent(Self.change(6, kind: .delete, fields: nil, was: ["title": "B"]), node: "n")
        #expect(deleted.members["before"] == ["title": "B"] && deleted.members["after"] == .null)
        let created = HookEvent(Self.change(7, kind: .create), node: "n")
        #expect(created.members["before"] == .null && created.members["event"] == "create")
    }

    @Test(arguments: ["journal", "remote", "decision", "plugin a.b-c_1"])
    func `an origin is read as it is written`(word: String) {
        #expect(Change.Origin(rawValue: word)?.rawValue == word)
    }

    @Test(arguments: ["", "plugin", "plugin ", "plugin a b", "plugin .x", "plugin a\nb", "somebody"])
    func `other words are no origin`(word: String) {
        #expect(Change.Origin(rawValue: word) == nil)
    }
}
