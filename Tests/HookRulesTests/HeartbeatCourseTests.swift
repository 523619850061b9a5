import HookRules
import Testing

struct HeartbeatCourseTests {
    @Test func `only a change is news`() {
        var course = HeartbeatCourse()
        let steps: [(HeartbeatCourse.Standing, Bool)] = [
            (.beating, false), (.withheld(["3 pending, the oldest for 61 s"]), true),
            (.withheld(["4 pending, the oldest for 2 s"]), false), (.withheld(["pull is paused"]), true),
            (.beating, true), (.beating, false), (.failed("it answers 500"), true), (.failed("it answers 500"), false),
            (.failed("it answers 404"), true), (.beating, true),
        ]
        for (standing, isNews) in steps {
            let isTold = course.note(standing)
            #expect(isTold == isNews, "\(standing)")
        }
    }

    @Test(arguments: [.withheld(["x"]), .failed("x")] as [HeartbeatCourse.Standing])
    func `a first beat that is withheld, or fails, is news`(standing: HeartbeatCourse.Standing) {
        var course = HeartbeatCourse()
        let isTold = course.note(standing)
        #expect(isTold)
    }
}
