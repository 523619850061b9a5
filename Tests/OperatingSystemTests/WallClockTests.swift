import OperatingSystem
import Testing

@Suite struct WallClockTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (1_835_395_199, "Mon, 28 Feb 2028 23:59:59 GMT"),
    ])
    func `a time is written as HTTP wants it`(seconds: Int, text: String) {
        #expect(WallClock.httpDate(seconds) == text)
    }
}
