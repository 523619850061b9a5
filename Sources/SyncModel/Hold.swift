/// Something the daemon refuses to do until a person decides.
package struct Hold: Hashable, Sendable {
    package var number: Int64 = 0
    /// Its kind as a stable word; another version may have raised one that this one does not know.
    package var word: String
    package var collection: CollectionID?
    package var record: RecordID?
    /// The `uid` of the person whose edits wait; nil where it is not about one.
    package var person: String?
    package var direction: Direction
    package var reason: String
    /// Milliseconds since 1970.
    package var since: UInt64
    /// When it ends by itself, in milliseconds since 1970 on the server's clock; nil where only a person can end it.
    package var until: UInt64?

    package init(_ kind: HoldKind, _ direction: Direction, reason: String, since: UInt64) {
        self.init(kind.rawValue, direction, reason: reason, since: since)
    }

    package init(_ word: String, _ direction: Direction, reason: String, since: UInt64) {
        self.word = word
        self.direction = direction
        self.reason = reason
        self.since = since
    }

    /// Nil where this version does not know the kind.
    package var kind: HoldKind? { HoldKind(rawValue: word) }
}
