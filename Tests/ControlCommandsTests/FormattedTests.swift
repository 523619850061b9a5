import ControlAPI
import Testing

@testable import ControlCommands

struct FormattedTests {
    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
    func `numbers are grouped`(number: Int, expected: String) { #expect(Formatted.count(number) == expected) }

    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (7_449_999, "7.4 MB"),
            (999_999, "999.9 kB"), (12_000_000_000, "12.0 GB"),
        ] as [(UInt64, String)])
    func `sizes are short`(number: UInt64, expected: String) { #expect(Formatted.bytes(number) == expected) }

    @Test(
        arguments: [
            (.zero, "0"), (.milliseconds(250), "0.25"), (.milliseconds(32_999), "33"), (.milliseconds(12_500), "12.5"),
        ] as [(Duration, String)])
    func `how long something took is rounded`(time: Duration, expected: String) {
        #expect(time.roundedText == expected)
    }

    @Test(
        arguments: [
            (0, "now"), (999, "now"), (-999, "now"), (1_000, "1 s ago"), (59_999, "59 s ago"), (60_000, "1 min ago"),
            (7_200_000, "2 h ago"), (172_800_000, "2 days ago"), (-5_000, "in 5 s"),
        ] as [(Int64, String)])
    func `times are told from now`(past: Int64, expected: String) {
        let now = Moment(milliseconds: 1_795_205_704_120)
        #expect(Formatted.ago(Moment(milliseconds: UInt64(Int64(now.milliseconds) - past)), now: now) == expected)
    }

    @Test(arguments: [
        (0, 10, 40, "[                        ] 0 of 10  0 %"), (5, 10, 40, "[###########            ] 5 of 10  50 %"),
        (10, 10, 40, "[#####################] 10 of 10  100 %"), (5, 10, 12, "5 of 10  5…"),
    ])
    func `progress fits the terminal`(done: Int, total: Int, width: Int, expected: String) {
        let line = ProgressBar.line(done: done, of: total, width: width)
        #expect(line == expected)
        #expect(line.count < width)
    }
}
