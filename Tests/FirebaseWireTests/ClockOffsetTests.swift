import Testing

@testable import FirebaseWire

@Suite struct ClockOffsetTests {
    struct Answer: Sendable {
        var date: Int64
        var sent: Int64
        var received: Int64
    }

    static let cases: [([Answer], Int64?)] = [
        ([], nil),
        // Within the second that a date leaves open, clocks may be equal.
        ([Answer(date: 10_000, sent: 10_300, received: 10_400)], 0),
        // [-1000 - 100 ms, 0 - …]: our clock is at least 300 ms ahead.
        ([Answer(date: 10_000, sent: 11_300, received: 11_400)], -300),
        ([Answer(date: 20_000, sent: 10_000, received: 10_500)], 9_500),
        // Two answers narrow each other down: [0, 1000] and [600, 1600].
        (
            [Answer(date: 10_000, sent: 9_200, received: 9_400), Answer(date: 11_000, sent: 9_900, received: 10_100)],
            900
        ),
        // A contradiction means that the server's clock was set.
        (
            [
                Answer(date: 20_000, sent: 10_000, received: 10_000),
                Answer(date: 11_000, sent: 11_100, received: 11_200),
            ], 0
        ),
    ]

    @Test(arguments: cases)
    func `the offset is the nearest that all answers allow`(answers: [Answer], expected: Int64?) {
        var offset = ClockOffset()
        for answer in answers {
            offset.observe(serverDate: answer.date, sent: answer.sent, received: answer.received)
        }
        #expect(offset.milliseconds(wall: 50_000, steady: 50_000) == expected)
        #expect(offset.isKnown == (expected != nil))
    }

    @Test func `the server's time is known however the wall clock is set after an answer`() {
        var offset = ClockOffset()
        offset.observe(serverDate: 1_800_000_010_000, sent: 500, received: 600)
        #expect(offset.milliseconds(wall: 1_800_000_010_700, steady: 800) == 0)
        // Ten years on by the wall clock, a second by the steady one.
        #expect(offset.milliseconds(wall: 2_115_360_011_700, steady: 1_800) == -315_359_999_400)
    }
}
