import PluginKit
import Testing

@testable import CatalogDesk

struct PaceTests {
    @Test func `a burst goes at once, what follows at the even pace`() {
        var pace = Pace(burst: 3, perSecond: 2)
        let moments = (0..<6).map { _ in pace.reserve(at: 10_000, patience: 60_000) }
        #expect(moments == [10_000, 10_000, 10_000, 10_500, 11_000, 11_500])
        #expect(pace.free(at: 11_000) == 0)
        #expect(pace.free(at: 20_000) == 3)
    }

    @Test func `who would wait too long takes nothing`() {
        var pace = Pace(burst: 1, perSecond: 0.5)
        #expect(pace.reserve(at: 0, patience: 1_000) == 0)
        #expect(pace.reserve(at: 0, patience: 1_000) == nil)
        #expect(pace.reserve(at: 1_000, patience: 1_000) == 2_000)
    }

    @Test func `a source that does not answer is tried one request at a time`() {
        var breaker = Breaker()
        func admits(_ moment: UInt64) -> Bool { breaker.admits(at: moment) }
        for _ in 0..<4 { breaker.failed(at: 0) }
        #expect(admits(0))
        breaker.failed(at: 0)
        #expect(!admits(29_999))
        #expect(admits(30_000))
        #expect(!admits(30_001), "a second one while the first is under way")
        breaker.failed(at: 31_000)
        #expect(!admits(90_999), "the rest doubles")
        #expect(admits(91_000))
        breaker.succeeded()
        #expect(admits(91_001) && breaker.closedUntil == nil)
    }
}
