import SyncModel
import Testing

struct SpanTests {
    @Test(
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h"), (172_799, "47 h"),
            (172_800, "2 days"), (63_000_000, "729 days"), (129_703_135, "4 years"),
        ] as [(UInt64, String)])
    func `a length of time is told in its largest unit`(seconds: UInt64, expected: String) {
        #expect(Span(seconds: seconds).description == expected)
        #expect(Span(milliseconds: seconds * 1_000 + 999).description == expected)
    }
}
