import ControlAPI
import Foundation
import JSONText
import LocalStore
import Logging
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import SyncEngine

/// A real store and a real file.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct ChangeFeedFileTests {
    private let folder: TemporaryFolder
    private let store: LocalStore
    private var path: String { folder("changes.jsonl") }

    init() throws {
        folder = try TemporaryFolder()
        store = try LocalStore(folder: folder("state"))
    }

    /// Makes `count` changes, some in each transaction.
    private func change(_ count: Int, times: Int = 1, in other: LocalStore? = nil) async throws {
        for _ in 0..<times {
            _ = try await (other ?? store).write { transaction throws in
                for number in 0..<count {
                    let key = RecordKey("movies", RecordID(high: 0x4011, low: UInt64(number)))
                    let stamp = Stamp(physical: 1, counter: 0, node: NodeID(1))
                    let version = Version(Content(fields: ["title": .string("Film \(number)")]), stamp)
                    try transaction.append(change: .update, origin: .journal, of: key, version, at: 9)
                }
            }
        }
    }

    /// The numbers in a file, each of whose lines must be whole.
    private func numbers(in name: String = "changes.jsonl") throws -> [Int64] {
        let text = try String(contentsOfFile: folder(name), encoding: .utf8)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map {
            try #require(try JSONReader.members(Array($0.utf8))["seq"]?.whole)
        }
    }

    /// Lends a feed that runs.
    private func withFeed(
        of other: LocalStore? = nil, keeping: Int64 = 200_000, limits: FeedLimits = .init(), now: UInt64? = 1_000_000,
        _ body: (RunningFeed) async throws -> Void
    ) async throws {
        let feed = RunningFeed(store: other ?? store, path: path, keeping: keeping, limits: limits, now: now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await feed.run() }
            try await body(feed)
            group.cancelAll()
        }
    }

    @Test func `what happened before, and what happens`() async throws {
        try await change(12_345)
        try await withFeed { feed in
            try await feed.wait(for: 12_345)
            try await change(3)
            feed.signal.notify()
            try await feed.wait(for: 12_348)
        }
        #expect(try numbers() == Array(1...12_348))
        #expect(try await store.read { try $0.feedWritten() } == 12_348)
    }

    @Test func `how far it is can be told also after it was rotated`() async throws {
        #expect(ChangeFeed.lastSequence(at: path) == nil)
        try await change(7)
        try await withFeed { try await $0.wait(for: 7) }
        #expect(ChangeFeed.lastSequence(at: path) == 7)
        try FileManager.default.moveItem(atPath: path, toPath: folder("changes.jsonl.1"))
        #expect(ChangeFeed.lastSequence(at: path) == 7)
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data("{\"torn".utf8).write(to: URL(filePath: path))
        #expect(ChangeFeed.lastSequence(at: path) == 7)
    }

    @Test func `where a record went away that never had a stamp, none is told`() async throws {
        let key = RecordKey("movies", RecordID(high: 0x4011, low: 1))
        _ = try await store.write { transaction in
            for stamp in [Stamp.zero, Stamp(physical: 1, counter: 0, node: NodeID(1))] {
                _ = try transaction.append(change: .delete, origin: .remote, of: key, Version(nil, stamp), at: 9)
            }
        }
        try await withFeed { try await $0.wait(for: 2) }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let stamps = try lines.map { try JSONReader.members(Array($0.utf8))["stamp"] }
        #expect(stamps == [.null, "000000000001-0000-0000000000000001"])
        let replies = try await store.read { try $0.changes(after: 0, limit: 9) }.map { ChangeReply($0).stamp }
        #expect(replies == [nil, "000000000001-0000-0000000000000001"])
    }

    @Test func `a full file becomes the older one, and no number is lost or told twice`() async throws {
        try await withFeed(limits: FeedLimits(capacity: 200_000)) { feed in
            for turn in 1...3 {
                try await change(700)
                feed.signal.notify()
                try await feed.wait(for: Int64(turn * 700))
            }
        }
        let (older, newer) = (try numbers(in: "changes.jsonl.1"), try numbers())
        #expect(older.count >= 700 && older + newer == Array((2_101 - Int64(older.count + newer.count))...2_100))
        #expect(try await store.read { try $0.changeBounds()?.first } == 1, "the state keeps them by number")
    }

    @Test func `what is too old goes, but never the last`() async throws {
        try await change(50)
        // Before the server has said what time it has, this machine's clock may be far ahead.
        try await withFeed(limits: FeedLimits(keep: 100), now: nil) { try await $0.wait(for: 50) }
        #expect(try await store.read { try $0.changeBounds()?.first } == 1)
        #expect(try numbers() == Array(1...50))
        try await change(1)
        try await withFeed(limits: FeedLimits(keep: 100)) { try await $0.wait(for: 51) }
        #expect(try await store.read { try $0.changeBounds().map { [$0.first, $0.last] } } == [51, 51])
        #expect(try numbers(in: "changes.jsonl.1") == Array(1...51))
        #expect(try await store.read { try $0.changes(after: 50, limit: 9) }.map(\.sequence) == [51])
    }

    @Test func `nothing is forgotten that the file does not hold`() async throws {
        try await change(3_000, times: 4)
        #expect(try await store.read { try $0.changeBounds()?.first } == 1)
        try await withFeed(keeping: 100) { feed in
            try await feed.wait(for: 12_000)
            for _ in 0..<5 {
                try await change(2_000)
                feed.signal.notify()
            }
            try await feed.wait(for: 22_000)
        }
        #expect(try numbers() == Array(1...22_000))
        let first = try #require(try await store.read { try $0.changeBounds()?.first })
        #expect((20_000...21_901).contains(first))
    }

    @Test func `a renamed file is followed by a new one without a gap`() async throws {
        try await withFeed { feed in
            try await change(10)
            feed.signal.notify()
            try await feed.wait(for: 10)
            try FileManager.default.moveItem(atPath: path, toPath: folder("changes.1"))
            try await change(10)
            feed.signal.notify()
            try await feed.wait(for: 20)
            // As rotation with `create` does.
            try FileManager.default.moveItem(atPath: path, toPath: folder("changes.2"))
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            try await change(10)
            feed.signal.notify()
            try await feed.wait(for: 30)
        }
        #expect(try numbers(in: "changes.1") == Array(1...10))
        #expect(try numbers(in: "changes.2") == Array(11...20))
        #expect(try numbers() == Array(21...30))
    }

    @Test(arguments: [true, false]) func `a file that is gone or emptied begins anew`(_ isRemoved: Bool) async throws {
        try await withFeed { feed in
            try await change(10)
            feed.signal.notify()
            try await feed.wait(for: 10)
            if isRemoved {
                try FileManager.default.removeItem(atPath: path)
            } else {
                truncate(path, 0)
            }
            try await change(10)
            feed.signal.notify()
            try await feed.wait(for: 20)
        }
        #expect(try numbers() == Array(11...20))
    }

    @Test func `a file that lost its last lines gets them again`() async throws {
        try await withFeed { feed in
            try await change(10)
            feed.signal.notify()
            try await feed.wait(for: 10)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let kept = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(4).joined(separator: "\n")
            truncate(path, kept.utf8.count + 9)
            try await change(1)
            feed.signal.notify()
            try await feed.wait(for: 11)
        }
        #expect(try numbers() == Array(1...11))
    }

    @Test func `a file that was moved away while nothing ran`() async throws {
        try await change(10)
        try await withFeed { try await $0.wait(for: 10) }
        try FileManager.default.moveItem(atPath: path, toPath: folder("changes.1"))
        try await change(10)
        try await withFeed { try await $0.wait(for: 20) }
        #expect(try numbers() == Array(11...20))
    }

    @Test func `an append that the state did not hear of is not made twice`() async throws {
        try await change(10)
        try await withFeed { try await $0.wait(for: 10) }
        _ = try await store.write { try $0.noteFeedWritten(upTo: 4) }
        try await change(5)
        try await withFeed { try await $0.wait(for: 15) }
        #expect(try numbers() == Array(1...15))
    }

    @Test func `a state that is older than the file loses no change`() async throws {
        try await change(10)
        try await withFeed { try await $0.wait(for: 10) }
        let other = try LocalStore(folder: folder("restored"))
        try await change(3, in: other)
        try await withFeed(of: other) { try await $0.wait(for: 3) }
        try await change(3, in: other)
        try await withFeed(of: other) { try await $0.wait(for: 6) }
        #expect(try numbers() == Array(1...10) + Array(1...6))
    }

    @Test func `a file that can't be written is tried again, and nothing is lost`() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try await change(10)
        try await withFeed { feed in
            try await feed.waitForFailure()
            try FileManager.default.removeItem(atPath: path)
            feed.signal.notify()
            try await feed.wait(for: 10)
        }
        #expect(try numbers() == Array(1...10))
    }

    @Test func `a full file that can't be moved away is told of as long as that lasts`() async throws {
        try FileManager.default.createDirectory(atPath: path + ".1", withIntermediateDirectories: false)
        try await change(3)
        try await withFeed(limits: FeedLimits(capacity: 2)) { feed in
            try await feed.waitForFailure()
            feed.signal.notify()
            try await feed.waitForFailure(times: 2)
            try FileManager.default.removeItem(atPath: path + ".1")
            feed.signal.notify()
            try await feed.waitForSuccess()
        }
        #expect(try numbers(in: "changes.jsonl.1") == [1, 2, 3])
    }

    @Test func `a file that can be written again is told of, though nothing happens`() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try await withFeed { feed in
            try await feed.waitForFailure()
            try FileManager.default.removeItem(atPath: path)
            feed.signal.notify()
            try await feed.waitForSuccess()
        }
    }
}
