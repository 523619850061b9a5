/// What is to be taken back; the body of `POST /v1/undo`.
package struct UndoOrder: ControlOrder, Codable, Hashable, Sendable {
    package var since: Moment
    /// Null: until now.
    @Nullable package var until: Moment?
    /// `app`, or the beginning of a node's id; null for whoever it was.
    @Nullable package var from: String?
    /// Only says what would change.
    @Nullable package var dryRun: Bool?
    /// Deletes at once as many as there are, without a hold.
    @Nullable package var yes: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable { case since, until, from, dryRun, yes }

    package static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }

    package init(
        since: Moment, until: Moment? = nil, from: String? = nil, dryRun: Bool = false, yes: Bool = false
    ) {
        self.since = since
        self.until = until
        self.from = from
        self.dryRun = dryRun
        self.yes = yes
    }
}

/// What an undo did, or would do.
package struct UndoReply: Codable, Hashable, Sendable {
    /// Something that was changed in the span, and stays as it is.
    package struct Left: Codable, Hashable, Sendable {
        package var collection: String
        package var id: String
        /// The field; empty for the record as a whole.
        package var field: String
        /// A few words for people.
        package var reason: String

        package init(collection: String, id: String, field: String, reason: String) {
            self.collection = collection
            self.id = id
            self.field = field
            self.reason = reason
        }
    }

    /// False also where some of it waits in a hold.
    package var done: Bool
    package var dryRun: Bool
    package var since: Moment
    package var until: Moment
    /// How many records change, and how many of them are deleted.
    package var count = 0
    package var deletes = 0
    /// The first of these records.
    package var records: [RecordChangeReply] = []
    /// How many of these deletes wait in a hold, or would: they are too many to be made without a question.
    package var waiting = 0
    /// How many fields and records stay as they are, and the first of them.
    package var leftCount = 0
    package var left: [Left] = []
    /// The holds in which they wait.
    package var holds: [Int64] = []
    /// Since when changes are kept: what happened before is not taken back. Null where all of the span is kept.
    @Nullable package var keptSince: Moment?

    package init(dryRun: Bool, since: Moment, until: Moment) {
        done = !dryRun
        self.dryRun = dryRun
        self.since = since
        self.until = until
    }
}
