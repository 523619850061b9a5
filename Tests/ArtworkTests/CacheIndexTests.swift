import Testing

@testable import Artwork

struct CacheIndexTests {
    private static let day: UInt64 = 86_400_000

    @Test func `a picture is kept for months, and that there is none for a day`() {
        var index = CacheIndex(capacity: 100)
        #expect(index.find("a", at: 5) == .unknown)
        #expect(index.add("a", size: 10, made: 5) == [] && index.add("none", size: 0, made: 5) == [])
        #expect(index.find("a", at: 149 * Self.day) == .picture && index.find("a", at: 151 * Self.day) == .unknown)
        #expect(index.find("none", at: Self.day) == .missing && index.find("none", at: Self.day + 5) == .unknown)
        // A clock that was set back makes nothing older.
        #expect(index.find("a", at: 0) == .picture)
    }

    @Test func `what was not looked at for the longest time goes first, with some room`() {
        var index = CacheIndex(capacity: 100)
        for name in 0..<10 { #expect(index.add("\(name)", size: 10, made: UInt64(name)) == []) }
        #expect(index.find("0", at: 50) == .picture)
        #expect(index.add("new", size: 10, made: 60) == ["1", "2"])
        #expect(index.size == 90 && index.find("0", at: 61) == .picture && index.find("1", at: 61) == .unknown)
    }

    @Test func `one that is larger than all the room stays until the next`() {
        var index = CacheIndex(capacity: 100)
        #expect(index.add("large", size: 200, made: 1) == [])
        #expect(index.add("small", size: 1, made: 2) == ["large"])
        #expect(index.size == 1 && index.count == 1)
    }

    @Test func `where the disk has no more room the longest unused go`() {
        var index = CacheIndex(capacity: 1000)
        for name in 0..<10 { _ = index.add("\(name)", size: 10, made: UInt64(name)) }
        #expect(index.shrink(to: 50) == ["0", "1", "2", "3", "4"] && index.size == 50)
        #expect(index.shrink(to: 50) == [])
    }

    @Test func `a picture that is made anew counts once`() {
        var index = CacheIndex(capacity: 100)
        _ = index.add("a", size: 60, made: 1)
        #expect(index.add("a", size: 70, made: 2) == [] && index.size == 70)
        index.remove("a")
        #expect(index.size == 0 && index.count == 0)
    }
}
