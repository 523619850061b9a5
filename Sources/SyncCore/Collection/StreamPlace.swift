internal import SyncModel

/// A page of the first load that is still to come.
struct FirstLoadPlace: Sendable {
    /// Its first key; nil for the first page.
    var first: String?
    /// When the first page was asked for, by the server's clock.
    var began: UInt64
}

/// Where a stream goes on, as it is stored.
struct StreamPlace: Equatable, Sendable, CustomStringConvertible {
    /// The server's time up to which all that was shown is dealt with.
    var reached: UInt64
    /// What was the newest then: while it stands there, it is shown again.
    var newest: NewestWrites
    /// What this node wrote last and nothing had shown yet: while it stands there, that is shown, too.
    var acknowledged: RecordID?

    /// The server's time from which on everything is asked for.
    var cursor: UInt64 { newest.cursor(below: reached) }

    init(reached: UInt64, newest: NewestWrites) { (self.reached, self.newest) = (reached, newest) }

    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let reached = words.first.flatMap({ UInt64($0) }) else { return nil }
        self.init(reached: reached, newest: NewestWrites(words.count > 1 ? words[1] : ""))
        acknowledged = words.count > 2 ? RecordID(String(words[2])) : nil
    }

    var description: String { "\(reached) \(newest) \(acknowledged?.description ?? "")" }
}
