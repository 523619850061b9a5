import SyncCore
import SyncModel
import Testing

/// Comparing both sides, question by question.
struct VerificationCourseTests {
    typealias Machine = MachineUnderTest

    /// Asks the remote all that the course wants to know.
    ///
    /// - Parameters:
    ///   - refused: keys of records that are not let through.
    ///   - meanwhile: what happens before a question is answered.
    private func run(
        _ machine: Machine, isBusy: Bool = false, refused: Set<String> = [],
        meanwhile: (VerificationCourse.Question) throws -> Void = { _ in }
    ) throws -> VerificationCourse {
        var course = VerificationCourse(machine.rules, pace: 7)
        while let question = course.question {
            try meanwhile(question)
            let answer = try machine.server.answer(question.call).get()
            if !refused.isDisjoint(with: shown(answer)) {
                let goesOn = course.goesOn(after: RemoteError(.tooLarge, "more than fits"))
                #expect(goesOn)
                continue
            }
            let compared = try machine.read { try course.compare(answer, machine.policy, $0) }
            course.take(answer, compared, isBusy: isBusy)
        }
        return course
    }

    private func shown(_ answer: CollectionMachine.Answer) -> [String] {
        switch answer {
        case .page(let page): page.entries.map(\.key)
        case .entry(let entry): [entry.key]
        default: []
        }
    }

    private func found(_ course: VerificationCourse) -> [BaseComparison.Finding] { course.differences.map(\.finding) }

    @Test func `finds nothing where both are equal`() throws {
        let course = try run(.live(3))
        #expect(course.differences.isEmpty && course.compared == 3 && course.repairs.isEmpty)
    }

    @Test func `finds what is missing, differs, or is no record, and tells what mends it`() throws {
        let machine = try Machine.live(5)
        machine.put(1, .absent)
        machine.put(2, Machine.film(2, "Other", Machine.stamp(50)))
        machine.put(9, Machine.film(9, "New", Machine.stamp(50)))
        machine.server.put("stray", Machine.film(3, "Film", Machine.stamp(1)))
        let course = try run(machine)
        #expect(found(course) == [.missingThere, .differs, .missingHere, .strayKey] && course.compared == 6)
        for repair in course.repairs { try machine.take(repair) }
        try machine.settle()
        #expect(try found(run(machine)) == [.strayKey])
        #expect(try machine.title(1) == nil && machine.title(2) == "Other" && machine.title(9) == "New")
    }

    @Test func `what an app has made unreadable below its stamp is found as that, and stays so`() throws {
        let machine = try Machine.live(3)
        machine.put(
            1,
            .record(
                fields: ["identifier": .string(Machine.id(1).description), "title": 5],
                stamps: RemoteStamps(Machine.stamp(50_000))))
        for _ in 0..<2 {
            let course = try run(machine)
            #expect(found(course) == [.unreadable])
            for repair in course.repairs { try machine.take(repair) }
            try machine.settle()
        }
        #expect(try machine.quarantine() == [.unreadableRecord])
    }

    @Test func `a text that Unicode spells in two ways is two keys`() throws {
        let machine = try Machine.live(1)
        let entries = ["e\u{301}", "\u{e9}"].map {
            RemoteEntry(key: $0, value: Machine.film(1, "Film", Machine.stamp(1)))
        }
        var course = VerificationCourse(machine.rules)
        for answer: CollectionMachine.Answer in [
            .keys(entries.map(\.key)), .page(RemotePage(entries: entries, next: nil)),
        ] {
            let compared = try machine.read { try course.compare(answer, machine.policy, $0) }
            course.take(answer, compared, isBusy: false)
        }
        #expect(found(course).count { $0 == .strayKey } == 2)
    }

    @Test func `what was on its way is looked at again, and is no difference`() throws {
        let machine = try Machine.live(3)
        machine.put(2, Machine.film(2, "Other", Machine.stamp(50)))
        let course = try run(machine) { question in
            if case .read = question.call { try machine.tell(Machine.id(2)) }
        }
        #expect(course.differences.isEmpty)
    }

    @Test func `what the node is about to take is waited for once`() throws {
        let machine = try Machine.live(3)
        machine.put(2, Machine.film(2, "Other", Machine.stamp(50)))
        var pauses: [UInt64] = []
        let course = try run(machine, isBusy: true) { question in
            pauses.append(question.pause)
            if question.pause > 7 { try machine.tell(Machine.id(2)) }
        }
        #expect(course.differences.isEmpty && pauses == [0, 0, 0, 4_000])
        machine.put(2, Machine.film(2, "Else", Machine.stamp(60)))
        #expect(try found(run(machine, isBusy: true)) == [.differs])
    }

    @Test func `the pages of many records are asked for in pace`() throws {
        let machine = try Machine.live(UInt64(2 * VerificationCourse.pageSize))
        var pauses: [UInt64] = []
        let course = try run(machine) { pauses.append($0.pause) }
        #expect(course.differences.isEmpty && pauses == [0, 0, 7])
    }

    @Test(arguments: [[3], [0, 6], [2, 3], [0, 1, 2, 3, 4, 5, 6]] as [[UInt64]])
    func `records that are not let through are unreadable, and the others are compared`(refused: [UInt64]) throws {
        let machine = try Machine.live(7)
        machine.put(4, Machine.film(4, "Other", Machine.stamp(50)))
        let keys = refused.map { Machine.id($0).description }
        let course = try run(machine, refused: Set(keys))
        let unreadable = course.differences.filter { $0.finding == .unreadable }
        #expect(unreadable.map(\.key) == keys && course.compared == 7)
        let isFound = course.differences.contains { $0.key == Machine.id(4).description && $0.finding == .differs }
        #expect(isFound == !refused.contains(4))
    }

    @Test func `what fails otherwise ends it, and a page that is cut again and again`() throws {
        var course = VerificationCourse(try Machine.live(1).rules)
        let goesOnWithoutKeys = course.goesOn(after: RemoteError(.tooLarge, "more than fits"))
        course.take(.keys(["A"]), [], isBusy: false)
        let goesOnWithoutRemote = course.goesOn(after: RemoteError(.unreachable, "down"))
        #expect(!goesOnWithoutKeys && !goesOnWithoutRemote)
        var halves = 0
        while course.goesOn(after: RemoteError(.outcomeUnknown, "cut")) { halves += 1 }
        #expect(halves == 8)
    }

    @Test func `comes by itself after a week, and where the clock was ahead then`() {
        let day: UInt64 = 86_400_000
        #expect(!WeeklyVerification.isDue(since: 10 * day, at: 17 * day - 1))
        #expect(WeeklyVerification.isDue(since: 10 * day, at: 17 * day))
        #expect(WeeklyVerification.isDue(since: 10 * day, at: 9 * day))
    }
}
