internal import DatabaseTree
internal import FirebaseWire
internal import SecurityRules

/// A large write that is made ready beside the writer.
struct LargeWrite: Sendable {
    let write: Write
    /// Its time where it has timestamps, milliseconds since 1970: it is done neither before that, nor after any write
    /// that has a later one.
    let time: Int64?
    /// What each entry puts.
    let values: [Node?]
    /// What it writes.
    let paths: [WirePath]
    /// By which the file knows its rows.
    let number: Int64
    var judgement: Judgement
    /// The recent writes that the draft has.
    var followed: Int
    var draft: Draft

    /// Whether what the rules have said still counts.
    ///
    /// - Parameters:
    ///   - written: what others have written since they were asked.
    ///   - version: of the rules now.
    func holds(after written: [WirePath], version: Int) -> Bool {
        judgement.version == version && !written.contains(where: judgement.trace.isTouched)
    }

    /// Takes in what others have written since, all of which `now` has, and nothing else.
    ///
    /// - Parameter seen: how many writes that makes.
    /// - Returns: false where it must be made ready anew.
    mutating func follow(_ written: [WirePath], seen: Int, to now: Root) -> Bool {
        let base = write.base
        if write.condition != nil, written.contains(where: { $0.contains(base) || base.contains($0) }) { return false }
        guard draft.follow(written, to: now) else { return false }
        followed = seen
        judgement = Judgement(seen: seen, version: judgement.version, trace: judgement.trace)
        return true
    }
}

/// How long it takes to make large writes ready, as the last ones have shown.
///
/// Others wait for their turn as long as is allowed here, whether it is needed or not. So a stall of the disk or of the
/// machine counts little and is soon forgotten, and what would take very long is left to the writer at last.
struct LargePace: Sendable {
    /// Milliseconds for each MiB: what is expected at first, and the most that is ever allowed.
    private static let usual = 150.0
    private static let slowest = 2000.0

    /// Milliseconds for each MiB.
    private var pace = LargePace.usual

    /// How many milliseconds a write of so many bytes is sure to take less than, unless it does.
    ///
    /// - Parameter trial: how often that was wrong.
    func allowance(_ bytes: Int, trial: Int) -> Int64 {
        let more = Double(1 << trial)
        return Int64(min(pace * more, LargePace.slowest) * LargePace.mebibytes(bytes) * 1.5 + 20 * more)
    }

    /// A write of so many bytes has taken this long.
    mutating func note(_ bytes: Int, _ duration: Duration) {
        let measured = duration / .milliseconds(1) / LargePace.mebibytes(bytes)
        let counted = min(measured, max(4 * pace, LargePace.usual))
        pace = min((pace + counted) / 2, max(2 * measured, LargePace.usual))
    }

    private static func mebibytes(_ bytes: Int) -> Double { Double(max(bytes, 1)) / 1_048_576 }
}
