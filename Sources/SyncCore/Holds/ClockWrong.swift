package import SyncModel

/// This machine's clock and the server's differ by more than `clock.maxAhead`: edits wait. Ends by itself when they agree
/// again.
package struct ClockWrong: HoldRule {
    /// Raises the hold, or ends it, as the clocks are now. One that waits tells how far apart they are now, but is not
    /// written anew for a little more or less.
    ///
    /// - Parameter serverIsKnown: whether the server has said what time it has, since the start: until then a hold stays.
    /// - Returns: whether edits must wait.
    package static func check(
        _ time: StampPolicy, serverIsKnown: Bool, in book: some RecordBook
    ) throws -> Bool {
        let waiting = try book.holds(of: .clockWrong).first
        guard serverIsKnown else { return try isUnknown(time, waiting, in: book) }
        guard time.isClockWrong else {
            if let waiting { try book.removeHold(waiting.number) }
            if try book.isNoted(accepted) { try book.setNoted(accepted, false) }
            return false
        }
        if try book.isNoted(accepted) {
            if let waiting { try book.removeHold(waiting.number) }
            return false
        }
        if let waiting {
            guard try isOther(time.offset, in: book) else { return true }
            try book.setReason(reason(time.offset), ofHold: waiting.number)
        } else {
            _ = try book.raise(Hold(.clockWrong, .journal, reason: reason(time.offset), since: time.wall))
        }
        try book.setText(told, String(time.offset))
        return true
    }

    /// The server's clock counts, as a person has said, and it has not told its time since the start: edits wait for that.
    private static func isUnknown(
        _ time: StampPolicy, _ waiting: Hold?, in book: some RecordBook
    ) throws -> Bool {
        guard waiting == nil, try book.isNoted(accepted) else { return waiting != nil }
        let told = try book.text(told).flatMap { Int64($0) } ?? 0
        let reason = "\(reason(told)), whose time counts, and which has not told it since the start"
        _ = try book.raise(Hold(.clockWrong, .journal, reason: reason, since: time.wall))
        return true
    }

    /// By which time what is from the future comes to be past: the server's; while the clocks can't agree, and no person has
    /// approved the server's, that of the clock that is behind. Nil before the server has said what time it has.
    static func timeOfFuture(_ time: StampPolicy, in book: some RecordBook) throws -> UInt64? {
        guard time.serverIsKnown else { return nil }
        guard time.isClockWrong, try !book.isNoted(accepted) else { return time.serverNow }
        return time.stampTime
    }

    /// The lowest stamp of a collection that waits in quarantine for its time, where it can't be told now whether that has
    /// come: whatever the server says meanwhile, neither this one's has, nor that of any above it.
    static func lowestWaiting(
        in collection: CollectionID, _ time: StampPolicy, _ book: some RecordBook
    ) throws -> Stamp? {
        guard time.isClockWrong, try book.anyQuarantined(), try !book.isNoted(accepted) else { return nil }
        return try book.lowestStamp(quarantined: .futureStamp, in: collection)
    }

    private static func reason(_ offset: Int64) -> String {
        let side = offset < 0 ? "ahead of" : "behind"
        return "this machine's clock is \(Span(milliseconds: offset.magnitude)) \(side) the server's"
    }

    /// Whether the difference that the hold tells is of the other side, or wrong by more than a quarter.
    private static func isOther(_ offset: Int64, in book: some RecordBook) throws -> Bool {
        guard let last = try book.text(told).flatMap({ Int64($0) }), (last < 0) == (offset < 0) else { return true }
        let (less, more) = (min(last.magnitude, offset.magnitude), max(last.magnitude, offset.magnitude))
        return more - less > last.magnitude / 4
    }

    /// The server's time minus this machine's that the hold tells, in milliseconds.
    private static let told = "clock.told"

    /// How long to wait before the server is asked for the time again, in milliseconds: 5 s at first, then twice as long each
    /// time, up to a minute.
    package static func pause(beforeLook number: Int) -> Int { min(60_000, 5000 << max(0, min(number, 5) - 1)) }

    /// A person has said that edits are to be stamped all the same, until the clocks agree.
    private static let accepted = "clock.accepted"

    package var stopsJournal: Bool { true }

    package func approval(of hold: Hold) -> String {
        "stamps edits by the server's clock until this machine's agrees with it; one that says a time of its own keeps that"
    }

    package func rejection(of hold: Hold) -> String {
        "goes on waiting until the clocks agree: set this machine's clock"
    }

    package func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        approved ? "edits of it are stamped" : "edits of it wait"
    }

    package func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        try decision.book.setNoted(ClockWrong.accepted, true)
        return .none
    }

    package func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect { .none }
}
