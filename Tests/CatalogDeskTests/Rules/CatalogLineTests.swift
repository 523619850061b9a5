import PluginKit
import SyncModel
import Testing

@testable import CatalogDesk

struct CatalogLineTests {
    private static let question = Question.page(CatalogQuery(.search("alien"), today: "2026-11-22"))
    private static let page = Reply.page(CatalogPage(rows: [CatalogRow(key: "1", fields: ["title": "Alien"])]))

    private func line() -> CatalogLine {
        var description = CatalogDescription(
            name: "tmdb", title: "", collection: "movies", attribution: "", keyPage: "", imageHosts: [])
        description.burst = 10
        return CatalogLine(description)
    }

    @Test func `a fresh answer needs no request, an old one shows its validator`() throws {
        var line = line()
        #expect(line.step(for: Self.question, anew: false, at: 0) == .ask(at: 0, known: nil))
        let reading = CatalogReading<Reply>(Self.page, validator: "W/1", maxAge: 60)
        #expect(try line.answered(Self.question, reading, at: 0).get() == Answered(reply: Self.page))
        #expect(line.step(for: Self.question, anew: false, at: 59_999) == .answer(Answered(reply: Self.page)))
        #expect(line.step(for: Self.question, anew: true, at: 1) == .ask(at: 1, known: "W/1"))
        #expect(line.step(for: Self.question, anew: false, at: 60_000) == .ask(at: 60_000, known: "W/1"))
        let same = try line.answered(Self.question, CatalogReading(nil, validator: "W/1", maxAge: 60), at: 60_000).get()
        #expect(same.reply == Self.page)
        #expect(line.step(for: Self.question, anew: false, at: 100_000) == .answer(Answered(reply: Self.page)))
        #expect(line.requests == 3 && line.cacheHits == 2)
    }

    @Test func `what was said before is better than nothing`() throws {
        var line = line()
        _ = line.answered(Self.question, CatalogReading(Self.page, maxAge: 0), at: 0)
        let down = CatalogError(.unavailable, "tmdb does not answer")
        let answer = try line.failed(Self.question, down, at: 1_000, dayEnds: 9_000).get()
        #expect(answer == Answered(reply: Self.page, isStale: true))
        let refused = line.failed(Self.question, CatalogError(.unauthorized, "no"), at: 1_000, dayEnds: 9_000)
        #expect(throws: CatalogError.self) { try refused.get() }
    }

    @Test(
        arguments: [
            (CatalogError(.limited, "slow down", retryAfter: 7), 7_000), (CatalogError(.limited, "a day"), 9_000),
            (CatalogError(.limited, "never", retryAfter: Int.max), 86_400_000),
        ]
            as [(CatalogError, UInt64)])
    func `a limited source is left alone`(error: CatalogError, until: UInt64) throws {
        var line = line()
        _ = line.failed(Self.question, error, at: 0, dayEnds: 9_000)
        guard case .refuse(let refusal) = line.step(for: Self.question, anew: false, at: until - 1) else {
            Issue.record("it was asked")
            return
        }
        #expect(refusal.code == .limited && refusal.message == error.message && refusal.retryAfter == 1)
        #expect(line.step(for: Self.question, anew: false, at: until) == .ask(at: until, known: nil))
    }

    @Test func `five failures rest, and one answer ends it`() {
        var line = line()
        for _ in 0..<5 { _ = line.failed(Self.question, CatalogError(.unavailable, "down"), at: 0, dayEnds: 0) }
        #expect(line.rest(at: 1)?.isLimit == false)
        guard case .refuse(let refusal) = line.step(for: Self.question, anew: false, at: 1) else {
            Issue.record("it was asked")
            return
        }
        #expect(refusal.code == .unavailable && refusal.retryAfter == 30)
        #expect(line.step(for: Self.question, anew: false, at: 30_000) == .ask(at: 30_000, known: nil))
        _ = line.answered(Self.question, CatalogReading(Self.page), at: 30_100)
        #expect(line.rest(at: 30_100) == nil && line.lastError == nil)
    }

    @Test func `another key ends a rest, the same one does not`() {
        var line = line()
        line.use(1)
        _ = line.failed(Self.question, CatalogError(.limited, "a day"), at: 0, dayEnds: 9_000)
        line.use(1)
        #expect(line.rest(at: 1)?.isLimit == true)
        line.use(2)
        #expect(line.rest(at: 1) == nil && line.lastError == nil)
        for _ in 0..<5 { _ = line.failed(Self.question, CatalogError(.unavailable, "down"), at: 0, dayEnds: 0) }
        line.use(3)
        #expect(line.step(for: Self.question, anew: false, at: 1) == .ask(at: 1, known: nil))
    }

    @Test func `a request that nobody waited for is no failure`() {
        var line = line()
        _ = line.failed(Self.question, CatalogError(.cancelled, "nobody waits"), at: 0, dayEnds: 0)
        #expect(line.failures == 0 && line.lastError == nil)
    }

    @Test func `an answer that is said to last for ever is fresh for six hours`() {
        var line = line()
        _ = line.answered(Self.question, CatalogReading(Self.page, maxAge: Int.max), at: 0)
        let fresh = CatalogLine.Step.answer(Answered(reply: Self.page))
        #expect(line.step(for: Self.question, anew: false, at: 21_599_999) == fresh)
        #expect(line.step(for: Self.question, anew: false, at: 21_600_000) != fresh)
    }

    @Test func `the cache drops what was not used for longest`() {
        var cache = ReplyCache(room: 3)
        func question(_ key: String) -> Question { .page(CatalogQuery(.search(key), today: "")) }
        for key in ["a", "b", "c"] { cache.put(Self.page, for: question(key), validator: nil, maxAge: nil, at: 0) }
        _ = cache.entry(question("a"))
        cache.put(Self.page, for: question("d"), validator: nil, maxAge: nil, at: 0)
        let left = ["a", "b", "c", "d"].filter { cache.entry(question($0)) != nil }
        #expect(left == ["a", "c", "d"])
    }
}
