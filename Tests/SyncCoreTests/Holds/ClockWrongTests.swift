import SyncCore
import Testing

struct ClockWrongTests {
    @Test func `the server is asked for the time again ever less often, and at least once a minute`() {
        #expect((1...6).map(ClockWrong.pause) == [5000, 10_000, 20_000, 40_000, 60_000, 60_000])
        #expect(ClockWrong.pause(beforeLook: .max) == 60_000)
    }
}
