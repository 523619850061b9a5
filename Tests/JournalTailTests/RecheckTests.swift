import OperatingSystem
import TestSupport
import Testing

@testable import JournalTail

/// Time is driven by hand.
@Suite struct RecheckTests {
    private let folder: TemporaryFolder
    private let file: ReadableFile
    private let start = ContinuousClock.now
    /// Long after the file was made.
    private let wall = WallClock.nanoseconds + 1_000_000_000

    init() throws {
        folder = try TemporaryFolder()
        Files.write([UInt8](repeating: 0x61, count: 5 << 20), to: folder("journal.jsonl"))
        file = try ReadableFile(path: folder("journal.jsonl"))
    }

    private var digest: BlockDigest {
        get throws {
            var digest = BlockDigest()
            digest.add(try file.read(at: 0, count: 5 << 20)[...])
            return digest
        }
    }

    private func delay(
        _ recheck: inout Recheck, _ now: ContinuousClock.Instant, consumed: UInt64 = 5 << 20
    ) -> Duration? {
        recheck.delay(consumed: consumed, now: now)
    }

    private func steps(_ recheck: inout Recheck, at now: ContinuousClock.Instant, wall: UInt64) throws -> Int {
        let digest = try digest
        for step in 1... {
            let outcome = try recheck.step(in: file, expecting: digest, now: now, wall: wall)
            if case .same? = outcome { return step }
            #expect(delay(&recheck, now) == .milliseconds(50))
        }
        return 0
    }

    @Test func `a file that is read from its middle is checked at once, and then only after a change`() throws {
        var recheck = Recheck(try file.identity(), isResumed: true, pace: CheckPace())
        #expect(delay(&recheck, start) == .zero)
        #expect(try steps(&recheck, at: start, wall: wall) == 5)
        #expect(delay(&recheck, start) == nil)
        Files.write("more", to: folder("journal.jsonl"))
        recheck.note(try file.identity())
        #expect(delay(&recheck, start + .seconds(2)) == .seconds(3))
    }

    @Test func `a file that was read from its start is checked when its turn has come`() throws {
        var recheck = Recheck(try file.identity(), isResumed: false, pace: CheckPace())
        #expect(delay(&recheck, start, consumed: 0) == nil)
        #expect(delay(&recheck, start) == .seconds(5))
        #expect(delay(&recheck, start + .seconds(5)) == .zero)
    }

    @Test func `a change without growth is looked at soon, unless it was half an append`() throws {
        var recheck = Recheck(try file.identity(), isResumed: true, pace: CheckPace())
        #expect(delay(&recheck, start) == .zero)
        _ = try steps(&recheck, at: start, wall: wall)
        var identity = try file.identity()
        identity.changedNanoseconds += 1
        recheck.note(identity)
        #expect(delay(&recheck, start) == .milliseconds(50))
        identity.size += 10
        recheck.note(identity)
        #expect(delay(&recheck, start) == .seconds(5))
    }

    @Test func `a check right after a change proves nothing about the next change`() throws {
        var recheck = Recheck(try file.identity(), isResumed: true, pace: CheckPace())
        _ = try steps(&recheck, at: start, wall: try file.identity().changedNanoseconds + 1)
        #expect(delay(&recheck, start) == .seconds(5))
        _ = try steps(&recheck, at: start + .seconds(5), wall: wall)
        #expect(delay(&recheck, start + .seconds(5)) == nil)
    }

    @Test func `the last check begins anew, and is made once`() throws {
        var recheck = Recheck(try file.identity(), isResumed: true, pace: CheckPace())
        let digest = try digest
        _ = try recheck.step(in: file, expecting: digest, now: start, wall: wall)
        let isFinished = recheck.finish()
        #expect(!isFinished)
        for _ in 0..<5 {
            #expect(delay(&recheck, start) == .zero)
            _ = try recheck.step(in: file, expecting: digest, now: start, wall: wall)
        }
        let isFinishedNow = recheck.finish()
        #expect(isFinishedNow)
        #expect(delay(&recheck, start) == nil)
    }

    @Test func `a digest is the same for any pieces, and can be put together`() {
        var random = SeededRandom(1)
        let bytes = (0..<300_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var whole = BlockDigest()
        whole.add(bytes[...])
        var pieces = BlockDigest()
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + random.below(100_000))
            pieces.add(bytes[place..<end])
            place = end
        }
        #expect(pieces.sum == whole.sum && pieces.rest == whole.rest && pieces.length == whole.length)
        var earlier = BlockDigest()
        earlier.add(bytes[..<131_072])
        var later = BlockDigest(block: 2)
        later.add(bytes[131_072...])
        #expect(later.wholeSum == nil)
        later.prepend(earlier)
        #expect(later.wholeSum == whole.sum && later.rest == whole.rest)
        var other = bytes
        other.swapAt(5, 70_000)
        var changed = BlockDigest()
        changed.add(other[...])
        #expect(changed.sum != whole.sum)
    }
}
