internal import SyncModel

/// A page of the first load that is still to come.
struct FirstLoadPlace: Sendable {
    /// Its first key; nil for the first page.
    var first: String?
    /// When the first page was asked for, by the server's clock.
    var began: UInt64
}

/// Where a stream goes on, as it is stored.
struct StreamPlace: Hashable, Sendable, CustomStringConvertible {
    /// The server's time from which on everything is asked for.
    var cursor: UInt64
    /// What was the newest then, and not before the cursor: while it stands there, it is shown again.
    var newest: RecordID?
    /// What this node wrote last and nothing had shown yet: while it stands there, that is shown, too.
    var acknowledged: RecordID?

    init(cursor: UInt64, newest: RecordID?) { (self.cursor, self.newest) = (cursor, newest) }

    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let cursor = words.first.flatMap({ UInt64($0) }) else { return nil }
        self.init(cursor: cursor, newest: words.count > 1 ? RecordID(String(words[1])) : nil)
        acknowledged = words.count > 2 ? RecordID(String(words[2])) : nil
    }

    var description: String {
        let ids = [newest, acknowledged].map { $0?.description ?? "" }
        return "\(cursor) \(ids.joined(separator: " "))"
    }
}
