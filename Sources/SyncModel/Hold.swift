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
    /// Why, for people; where the kind counts records, ``countOfRecords`` stands for how many it names.
    package var template: String
    /// How many records it names.
    package var count = 0
    /// Milliseconds since 1970.
    package var since: UInt64
    /// The time of what it holds, in milliseconds since 1970: it ends by itself when that is no further ahead of the server's
    /// clock than is allowed; nil where only a person can end it.
    package var until: UInt64?

    package init(_ kind: HoldKind, _ direction: Direction, reason: String, since: UInt64) {
        self.init(kind.rawValue, direction, reason: reason, since: since)
    }

    package init(_ word: String, _ direction: Direction, reason: String, since: UInt64) {
        self.word = word
        self.direction = direction
        template = reason
        self.since = since
    }

    /// What stands in the reason of a kind that counts records for how many it names.
    package static let countOfRecords = "{count}"

    /// Why, for people, on one line.
    package var reason: String {
        kind?.countsRecords == true ? template.replacing(Hold.countOfRecords, with: count.grouped) : template
    }

    /// Nil where this version does not know the kind.
    package var kind: HoldKind? { HoldKind(rawValue: word) }
}
