package import SyncModel

/// This machine's clock and the server's differ by more than `clock.maxAhead`: edits wait. Ends by itself when they agree
/// again.
package struct ClockWrong: HoldRule {
    /// Raises the hold, or ends it, as the clocks are now.
    ///
    /// - Parameter serverIsKnown: whether the server has said what time it has, since the start: until then a hold stays.
    /// - Returns: whether edits must wait.
    package static func check(
        _ time: StampPolicy, serverIsKnown: Bool, in book: some RecordBook
    ) throws -> Bool {
        let waiting = try book.holds().first { $0.kind == .clockWrong }
        guard serverIsKnown else { return waiting != nil }
        guard time.isClockWrong else {
            if let waiting { try book.removeHold(waiting.number) }
            if try book.isNoted(accepted) { try book.setNoted(accepted, false) }
            return false
        }
        if try book.isNoted(accepted) { return false }
        if waiting == nil {
            let side = time.offset < 0 ? "ahead of" : "behind"
            let reason = "this machine's clock is \(Span(milliseconds: time.offset.magnitude)) \(side) the server's"
            _ = try book.raise(Hold(.clockWrong, .journal, reason: reason, since: time.wall))
        }
        return true
    }

    /// How long to wait before the server is asked for the time again, in milliseconds: 5 s at first, then twice as long each
    /// time, up to a minute.
    package static func pause(beforeLook number: Int) -> Int { min(60_000, 5000 << max(0, min(number, 5) - 1)) }

    /// A person has said that edits are to be stamped all the same, until the clocks agree.
    private static let accepted = "clock.accepted"

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
