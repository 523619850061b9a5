import ControlAPI
import FoundationEssentials
import Testing

struct MomentTests {
    @Test(
        arguments: [
            ("2026-11-20T20:15:04.120Z", 1_795_205_704_120), ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.001Z", 1), ("2026-11-20t20:15:04.1z", 1_795_205_704_100),
            ("2026-11-20T20:15:04.1299999Z", 1_795_205_704_129), ("2026-11-20T22:15:04.120+02:00", 1_795_205_704_120),
            ("2026-11-20T14:45:04.120-05:30", 1_795_205_704_120), ("2028-02-29T00:00:00Z", 1_835_395_200_000),
            ("2026-11-21T01:15:04.120+05:00", 1_795_205_704_120),
        ] as [(String, UInt64)])
    func `RFC 3339 is read`(text: String, milliseconds: UInt64) {
        #expect(Moment(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "now", "2026-11-20", "2026-11-20T20:15:04", "2026-11-20 20:15:04Z", "2026-11-20T20:15Z",
        "1969-12-31T23:59:59Z",
        "2026-11-20T20:15:04.Z", "2026-11-20T20:15:04,120Z", "2026-11-31T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01T00:61:00Z",
        "2026-01-01T00:00:61Z",
        "2026-11-20T20:15:04+0200", "2026-11-20T20:15:04.120Z ", "٢٠٢٦-11-20T20:15:04Z", "20261120T201504Z",
        "2026-11-20T20:15:04+99:00",
    ])
    func `anything else is refused`(text: String) {
        #expect(Moment(text) == nil)
    }

    @Test(arguments: [0, 1, 999, 1_000, 1_795_205_704_120, 951_782_400_007, 253_402_300_799_999] as [UInt64])
    func `what is written is read back`(milliseconds: UInt64) {
        let moment = Moment(milliseconds: milliseconds)
        #expect(Moment(moment.description) == moment)
        #expect(moment.description.utf8.count == 24)
    }

    @Test func `a moment beyond the year 9999 is its last one`() {
        #expect(Moment(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
    }

    @Test func `milliseconds are never rounded`() {
        for milliseconds in UInt64(1_795_205_704_000)...1_795_205_704_999 {
            let text = Moment(milliseconds: milliseconds).description
            #expect(text.dropLast().suffix(3) == String(String(milliseconds).suffix(3)))
        }
    }
}
