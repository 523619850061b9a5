package import SyncModel

/// What time alone ends: holds that expire, and versions of the remote that are set aside because they are from the future.
package struct Deadlines: Sendable {
    /// Whether a hold's time has come: ``expire(in:_:)`` ends it.
    package private(set) var isHoldDue = false
    /// Records whose version in the remote is from the future no more: they are to be read again. Each is given once, and
    /// again only when it still waits after a long time: what it is read for may be something else by now.
    package private(set) var readable: [RecordKey] = []
    /// In how many milliseconds to look again, a minute at most, because clocks are set; nil where nothing waits.
    package private(set) var wait: UInt64?
    private static let longestWait: UInt64 = 60_000
    /// After so long what was given is given again.
    private static let patience: UInt64 = 600_000
    /// What was given, and when, by the clock that counts for the future.
    private var given: [Question: UInt64] = [:]

    private struct Question: Hashable {
        let key: RecordKey
        let stamp: Stamp
    }

    /// In how many milliseconds to look again where looking, or ending, has failed (a full disk).
    package static let waitAfterFailure: UInt64 = 60_000

    package init() {}

    /// All that waits now, after these.
    package func next(
        of collections: [CollectionID], _ time: StampPolicy, in book: some RecordBook
    ) throws -> Deadlines {
        var next = Deadlines()
        guard let now = try ClockWrong.timeOfFuture(time, in: book) else {
            next.wait = Deadlines.longestWait
            return next
        }
        for hold in try book.holds() where hold.kind?.rule.expires ?? false {
            guard let due = Deadlines.due(hold, time) else { continue }
            if next.note(due, now) { next.isHoldDue = true }
        }
        for collection in collections {
            for item in try book.quarantined(code: .futureStamp, in: collection) {
                guard let stamp = item.stamp, let id = item.record.flatMap({ RecordID($0) }) else { continue }
                guard next.note(stamp.physical - min(time.maxAhead, stamp.physical), now) else { continue }
                let question = Question(key: RecordKey(collection, id), stamp: stamp)
                // The clock may have been set back.
                if let last = given[question], last...last + Deadlines.patience ~= now {
                    next.given[question] = last
                } else {
                    next.given[question] = now
                    next.readable.append(question.key)
                }
            }
        }
        return next
    }

    /// When a hold ends by itself, by the server's clock: what it waits for may be as far ahead as is allowed now.
    private static func due(_ hold: Hold, _ time: StampPolicy) -> UInt64? {
        hold.until.map { $0 - min(time.maxAhead, $0) }
    }

    /// Whether this moment has come.
    private mutating func note(_ moment: UInt64, _ now: UInt64) -> Bool {
        let isDue = moment <= now
        wait = min(wait ?? Deadlines.longestWait, isDue ? Deadlines.longestWait : moment - now)
        return isDue
    }

    /// Ends the holds whose time has come.
    package static func expire(in book: some RecordBook, _ applier: OperationApplier) throws {
        let time = applier.time
        guard let now = try ClockWrong.timeOfFuture(time, in: book) else { return }
        for hold in try book.holds() where due(hold, time).map({ $0 <= now }) ?? false {
            try HoldDecision.expire(hold, in: book, applier)
        }
    }
}
