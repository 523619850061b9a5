import Testing

@testable import DatabaseServer

/// How much time a large write is given that has timestamps. Others wait meanwhile.
struct LargePaceTests {
    private static let mebibyte = 1_048_576

    /// Milliseconds.
    private func allowance(_ pace: LargePace, trial: Int = 0) -> Int64 {
        pace.allowance(10 * Self.mebibyte, trial: trial)
    }

    @Test func `a stall makes the next writes wait little longer, and is forgotten after one`() {
        var pace = LargePace()
        for _ in 0..<10 { pace.note(Self.mebibyte, .milliseconds(50)) }
        let usual = allowance(pace)
        pace.note(Self.mebibyte, .seconds(60))
        #expect(allowance(pace) < 3 * usual)
        pace.note(Self.mebibyte, .milliseconds(50))
        #expect(allowance(pace) < 2 * usual)
    }

    @Test func `however often it stalls, a write is given some seconds for each MiB at most`() {
        var pace = LargePace()
        for _ in 0..<20 { pace.note(Self.mebibyte, .seconds(60)) }
        for trial in 0..<5 { #expect(allowance(pace, trial: trial) <= 31_000) }
        pace.note(Self.mebibyte, .milliseconds(50))
        #expect(allowance(pace) <= allowance(LargePace()))
    }

    @Test func `a slow disk is given the time that it takes`() {
        var pace = LargePace()
        for _ in 0..<4 { pace.note(Self.mebibyte, .seconds(1)) }
        #expect(allowance(pace) > 10_000)
    }
}
