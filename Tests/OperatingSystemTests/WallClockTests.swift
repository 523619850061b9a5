import OperatingSystem
import Testing

@Suite struct WallClockTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (1_835_395_199, "Mon, 28 Feb 2028 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"), (1_483_228_800, "Sun, 01 Jan 2017 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func `a time is written as HTTP wants it`(seconds: Int, text: String) {
        #expect(WallClock.httpDate(seconds) == text)
    }
}
