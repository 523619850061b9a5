import Foundation
import SyncModel
import Testing

struct RFC3339Tests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1),
            ("2026-11-20T20:15:04.120Z", 1_795_205_704_120),
            ("2026-11-20t20:15:04.12z", 1_795_205_704_120), ("2026-11-20t20:15:04.1209999Z", 1_795_205_704_120),
            ("2026-11-20T22:15:04.120+02:00", 1_795_205_704_120), ("2026-11-20T14:45:04.120-05:30", 1_795_205_704_120),
            ("2000-02-29T23:59:59Z", 951_868_799_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("1969-12-31T23:00:00-02:00", 3_600_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("2026-11-20T20:15:04-00:00", 1_795_205_704_000),
        ] as [(String, UInt64)])
    func `times are read with any decimals and any offset`(text: String, milliseconds: UInt64) {
        #expect(RFC3339.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "", "now", "1795205704120", "2026-11-20", "2026-11-20T20:15Z", "2026-11-20T20:15:04", "2026-11-20T20:15:04.Z",
        "2026-11-20T20:15:04.120", "2026-11-20T20:15:04+0200", "2026-11-20T20:15:04+24:00", "2026-11-20T24:00:00Z",
        "2026-11-20T20:60:00Z", "2026-11-20T20:15:61Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-11-00T00:00:00Z",
        "1969-12-31T23:59:59Z", " 2026-11-20T20:15:04Z", "2026-11-20T20:15:04Z ", "2026-11-20T20:15:04ZZ",
        "+2026-11-20T20:15:04Z", "2026-11-20T20:15:04,120Z", "２026-11-20T20:15:04Z", "2026-1-20T20:15:04Z",
    ])
    func `anything else is no time`(text: String) { #expect(RFC3339.milliseconds(text) == nil) }

    @Test func `text and reading agree with Foundation, over all years and leap days`() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let step: UInt64 = 977 * 86_400_000 / 10 + 12_345_671
        for milliseconds in stride(from: UInt64(0), to: 253_402_300_800_000, by: UInt64.Stride(step * 30)) {
            let text = RFC3339.text(milliseconds)
            #expect(RFC3339.milliseconds(text) == milliseconds)
            #expect(text.utf8.count == 24)
            let whole = milliseconds / 1000 * 1000
            let date = Date(timeIntervalSince1970: Double(whole / 1000))
            #expect(RFC3339.text(whole) == style.format(date))
        }
    }

    @Test(arguments: [(2000, true), (2024, true), (2026, false), (2100, false), (2400, true)])
    func `leap days exist in leap years only`(year: Int, leap: Bool) {
        #expect((RFC3339.milliseconds("\(year)-02-29T00:00:00Z") != nil) == leap)
        if let day = RFC3339.milliseconds("\(year)-02-28T12:00:00Z") {
            let next = RFC3339.text(day + 86_400_000)
            #expect(next.hasPrefix(leap ? "\(year)-02-29T" : "\(year)-03-01T"))
        }
    }
}
