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
            ("2026-11-20T20:15:04-00:00", 1_795_205_704_000), ("2016-12-31T12:59:60Z", 1_483_189_200_000),
            ("2026-11-20T20:15:04.1Z", 1_795_205_704_100), ("2026-11-20T20:15:04.1299999999999Z", 1_795_205_704_129),
            ("2026-11-20T20:15:04+23:59", 1_795_119_364_000),
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
        "٢٠٢٦-11-20T20:15:04Z", "2026-11-20 20:15:04Z", "20261120T201504Z", "12026-11-20T20:15:04Z",
        "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "2026-11-20T20:15:04+02",
        "2026-11-20T20:15:04+02:60", "2026-11-20T20:15:04+02:00:30", "2026-11-20T20:15:04 +02:00",
        "2026-11-20T20:15:04GMT", "2026-11-20T20:15:04UTC+2", "2026-11-20T20:15:04Z\n",
        "2026-11-20T20:15:04\u{2212}02:00",
    ])
    func `anything else is no time`(text: String) { #expect(RFC3339.milliseconds(text) == nil) }

    /// Foundation refuses the first two and takes the others.
    @Test func `Foundation's reader is no substitute`() {
        let read = Date.ISO8601FormatStyle()
        let withDecimals = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let readOtherwise = [
            "2026-11-20t20:15:04z", "2026-11-20T20:15:04.1299999999999Z", "2026-02-30T00:00:00Z",
            "2026-11-20T24:00:00Z", "2026-11-20T20:60:00Z", "2026-11-20T20:15:61Z", "2026-1-20T20:15:04Z",
            "12026-11-20T20:15:04Z", "2026-11-20T20:15:04+0200", "2026-11-20T20:15:04+02", "2026-11-20T20:15:04GMT",
            "2026-11-20T20:15:04UTC+2", "2026-11-20T20:15:04Z ", "2026-11-20T20:15:04ZZ",
        ]
        let isReadOtherwise = readOtherwise.contains { text in
            let date = (try? read.parse(text)) ?? (try? withDecimals.parse(text))
            return RFC3339.milliseconds(text) != date.map { UInt64($0.timeIntervalSince1970 * 1000) }
        }
        #expect(isReadOtherwise, "Foundation has become strict: ours can go")
    }

    @Test func `what is written is read back to the millisecond, over all years and leap days`() {
        let days = stride(from: UInt64(0), to: 253_402_300_800_000, by: 977 * 86_400_000 / 10 * 30 + 12_345_671)
        for milliseconds in [Array(days), Array(1_795_205_704_000...1_795_205_705_999)].joined() {
            let text = RFC3339.text(milliseconds)
            #expect(RFC3339.milliseconds(text) == milliseconds)
            #expect(text.utf8.count == 24)
        }
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_868_799_999, "2000-02-29T23:59:59.999Z"),
            (1_795_205_704_120, "2026-11-20T20:15:04.120Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (281_474_976_710_655, "10889-08-02T05:31:50.655Z"),
        ] as [(UInt64, String)])
    func `UTC is written with three decimals`(milliseconds: UInt64, text: String) {
        #expect(RFC3339.text(milliseconds) == text)
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
