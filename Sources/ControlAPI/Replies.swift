package import SyncModel

/// Whether everything is as it should be; the answer of `GET /v1/health`.
package struct HealthReport: Codable, Hashable, Sendable {
    package enum Level: String, Codable, Sendable { case ok, warning, critical }

    package var level: Level
    /// One line each, the most important first; empty when all is well.
    package var reasons: [String]

    package init(level: Level, reasons: [String] = []) {
        self.level = level
        self.reasons = reasons
    }
}

/// One page of a list.
package struct Page<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    package var items: [Item]
    /// What to give as `after` for the next page; null at the end.
    @Nullable package var next: String?

    package init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }
}

/// One record as this node holds it.
package struct RecordReply: Codable, Hashable, Sendable {
    /// What the remote is known to hold.
    package struct Base: Codable, Hashable, Sendable {
        @Nullable package var stamp: String?
        @Nullable package var etag: String?

        package init(stamp: String?, etag: String?) {
            self.stamp = stamp
            self.etag = etag
        }
    }

    package var collection: String
    /// The UUID, upper case.
    package var id: String
    /// Empty for a deleted record.
    package var fields: [String: JSONValue]
    package var stamp: String
    package var deleted: Bool
    /// Whether the remote does not have this version yet.
    package var pending: Bool
    /// Why it is pending or held, in one line for people.
    @Nullable package var reason: String?
    @Nullable package var base: Base?

    package init(
        collection: String, id: String, fields: [String: JSONValue], stamp: String, deleted: Bool = false,
        pending: Bool = false, reason: String? = nil, base: Base? = nil
    ) {
        self.collection = collection
        self.id = id
        self.fields = fields
        self.stamp = stamp
        self.deleted = deleted
        self.pending = pending
        self.reason = reason
        self.base = base
    }
}

/// One entry of the change feed: a change that took effect on this node.
package struct ChangeReply: Codable, Hashable, Sendable {
    /// Rises by exactly 1 from entry to entry.
    package var seq: Int64
    /// `create`, `update` or `delete`.
    package var op: String
    package var collection: String
    /// The UUID, upper case.
    package var id: String
    /// The whole record after the change; empty for a delete.
    package var fields: [String: JSONValue]
    package var stamp: String
    /// `journal`, `remote` or `decision`.
    package var origin: String
    package var at: Moment

    package init(
        seq: Int64, op: Change.Kind, collection: String, id: String, fields: [String: JSONValue], stamp: String,
        origin: Change.Origin, at: Moment
    ) {
        self.seq = seq
        self.op = op.rawValue
        self.collection = collection
        self.id = id
        self.fields = fields
        self.stamp = stamp
        self.origin = origin.rawValue
        self.at = at
    }
}

/// Something the daemon refuses to do until a person approves or rejects it.
package struct HoldReply: Codable, Hashable, Sendable {
    package var id: Int64
    /// A stable word: `massDelete`, `emptyRemote`, ….
    package var kind: String
    @Nullable package var collection: String?
    /// `push`, `pull` or `journal`.
    @Nullable package var direction: String?
    /// One line for people: what would happen.
    package var reason: String
    package var since: Moment
    /// What each answer does: one line for people that begins with a verb; nil for a kind the daemon does not know.
    @Nullable package var approve: String?
    @Nullable package var reject: String?

    package init(
        id: Int64, kind: String, collection: String? = nil, direction: Direction? = nil, reason: String, since: Moment,
        approve: String? = nil, reject: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.collection = collection
        self.direction = direction?.rawValue
        self.reason = reason
        self.since = since
        self.approve = approve
        self.reject = reject
    }
}

/// A single item that can't be processed.
package struct QuarantineReply: Codable, Hashable, Sendable {
    package enum Source: String, Codable, Sendable { case journal, push, pull }

    package var id: Int64
    package var source: Source
    @Nullable package var collection: String?
    /// The record's UUID or, where it has none, its key in the remote.
    @Nullable package var record: String?
    /// A stable word; see `Defect.Code`.
    package var code: String
    /// One line for people, with the value that was wrong.
    package var reason: String
    package var since: Moment
    package var attempts: Int
    /// Of a journal line only: the file it stands in.
    @Nullable package var file: String?
    /// Of a journal line only: where it begins, in bytes.
    @Nullable package var offset: UInt64?
    /// Of a journal line only: its length in bytes, line end included.
    @Nullable package var length: Int?

    package init(
        id: Int64, source: Source, collection: String? = nil, record: String? = nil, code: String, reason: String,
        since: Moment, attempts: Int = 1, file: String? = nil, offset: UInt64? = nil, length: Int? = nil
    ) {
        self.id = id
        self.source = source
        self.collection = collection
        self.record = record
        self.code = code
        self.reason = reason
        self.since = since
        self.attempts = attempts
        self.file = file
        self.offset = offset
        self.length = length
    }
}

/// A decided conflict: both versions, and the rule that decided.
package struct ConflictReply: Codable, Hashable, Sendable {
    package struct Side: Codable, Hashable, Sendable {
        @Nullable package var stamp: String?
        /// The id of the node that made the version, 16 hexadecimal digits.
        @Nullable package var node: String?
        /// Empty for a delete.
        package var fields: [String: JSONValue]
        package var deleted: Bool

        package init(stamp: String?, node: String?, fields: [String: JSONValue], deleted: Bool = false) {
            self.stamp = stamp
            self.node = node
            self.fields = fields
            self.deleted = deleted
        }
    }

    package var id: Int64
    package var collection: String
    package var record: String
    package var at: Moment
    package var rule: String
    package var winner: Side
    package var loser: Side

    package init(
        id: Int64, collection: String, record: String, at: Moment, rule: String, winner: Side, loser: Side
    ) {
        self.id = id
        self.collection = collection
        self.record = record
        self.at = at
        self.rule = rule
        self.winner = winner
        self.loser = loser
    }
}

/// The answer of `POST /v1/sync`.
package struct SyncReply: Codable, Hashable, Sendable {
    /// Whether nothing is pending, and a pull was complete since the request.
    package var done: Bool
    package var pending: Int
    /// Why it is not done, one line each.
    package var reasons: [String]

    package init(done: Bool, pending: Int, reasons: [String] = []) {
        self.done = done
        self.pending = pending
        self.reasons = reasons
    }
}

/// The answer of `POST /v1/reload`.
package struct ReloadReply: Codable, Hashable, Sendable {
    /// The keys whose new value is in force.
    package var reloaded: [String]
    /// The keys whose new value counts after a restart only.
    package var needsRestart: [String]

    package init(reloaded: [String], needsRestart: [String] = []) {
        self.reloaded = reloaded
        self.needsRestart = needsRestart
    }
}

/// The answer of a request that changed something and has nothing else to say: `{"done":true}`.
package struct DoneReply: Codable, Hashable, Sendable {
    package var done = true

    package init() {}
}
