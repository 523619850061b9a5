internal import Foundation
internal import GRDB
package import SyncModel

/// Hooks: how far each is in the change feed, and what it did not take.
extension Transaction {
    /// The last entry that the feed ever had; 0 before the first.
    package func lastChange() throws -> Int64 {
        try writeChanges()
        return try lastSequence ?? storedLastSequence()
    }

    /// The hook of this name; nil where it is new.
    package func hook(_ name: String) throws -> StoredHook? {
        let row = try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT cursor, attempts, since, off FROM hook WHERE name = ?"),
            arguments: [name])
        guard let row else { return nil }
        var hook = StoredHook(name: name, cursor: row[0])
        hook.attempts = row[1]
        hook.since = (row[2] as Int64?).map { UInt64($0) }
        hook.off = row[3]
        return hook
    }

    /// Stores how far a hook is; one that is new is configured.
    package func store(_ hook: StoredHook) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO hook (name, cursor, isConfigured, attempts, since, off) VALUES (?, ?, 1, ?, ?, ?)
                ON CONFLICT DO UPDATE SET cursor = excluded.cursor, attempts = excluded.attempts,
                since = excluded.since, off = excluded.off
                """
        ).execute(arguments: [hook.name, hook.cursor, hook.attempts, hook.since.map { Int64($0) }, hook.off])
    }

    /// Notes which hooks there are; entries of the feed are kept for these alone.
    package func setConfigured(hooks names: Set<String>) throws {
        for name in try String.fetchAll(db, sql: "SELECT name FROM hook") {
            try db.execute(
                sql: "UPDATE hook SET isConfigured = ? WHERE name = ?", arguments: [names.contains(name), name])
        }
    }

    /// The last entry that all configured hooks that are not off need no more; nil where there are none.
    func lowestHookCursor() throws -> Int64? {
        try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT min(cursor) FROM hook WHERE isConfigured = 1 AND off IS NULL"))
    }

    /// Puts an event aside; one that is there already is replaced.
    package func insert(_ event: RefusedEvent) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO hookEvent (hook, sequence, since, attempts, reason, isDue, event)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            event.hook, event.sequence, Int64(event.since), event.attempts, event.reason, event.isDue,
            Data(event.event),
        ])
    }

    /// - Returns: whether it was there.
    @discardableResult
    package func removeRefusedEvent(_ sequence: Int64, of hook: String) throws -> Bool {
        try db.execute(sql: "DELETE FROM hookEvent WHERE hook = ? AND sequence = ?", arguments: [hook, sequence])
        return connection.changesCount > 0
    }

    /// Has events of a hook tried again: those of these numbers, or all.
    ///
    /// - Returns: how many.
    package func setDue(of hook: String, _ sequences: [Int64]?) throws -> Int {
        guard let sequences else {
            try db.execute(sql: "UPDATE hookEvent SET isDue = 1 WHERE hook = ?", arguments: [hook])
            return connection.changesCount
        }
        return try Set(sequences).reduce(0) { count, sequence in
            try db.execute(
                sql: "UPDATE hookEvent SET isDue = 1 WHERE hook = ? AND sequence = ?", arguments: [hook, sequence])
            return count + connection.changesCount
        }
    }

    /// The first event of a hook that is to be tried again.
    package func dueEvent(of hook: String) throws -> RefusedEvent? {
        try Row.fetchOne(
            try db.cachedStatement(
                sql: "\(Transaction.refusedQuery) WHERE hook = ? AND isDue = 1 ORDER BY sequence LIMIT 1"),
            arguments: [hook]
        ).map(refusedEvent)
    }

    /// What a hook did not take, after the entry `sequence`, at most `limit`.
    package func refusedEvents(of hook: String, after sequence: Int64, limit: Int) throws -> [RefusedEvent] {
        try Row.fetchAll(
            db, sql: "\(Transaction.refusedQuery) WHERE hook = ? AND sequence > ? ORDER BY sequence LIMIT ?",
            arguments: [hook, sequence, limit]
        ).map(refusedEvent)
    }

    package func refusedEventCount(of hook: String) throws -> Int {
        let count = try db.cachedStatement(sql: "SELECT count(*) FROM hookEvent WHERE hook = ?")
        return try Int.fetchOne(count, arguments: [hook]) ?? 0
    }

    private static let refusedQuery = "SELECT hook, sequence, since, attempts, reason, isDue, event FROM hookEvent"

    private func refusedEvent(_ row: Row) -> RefusedEvent {
        var event = RefusedEvent(
            hook: row[0], sequence: row[1], since: UInt64(row[2] as Int64), attempts: row[3], reason: row[4],
            event: row.bytes(6) ?? [])
        event.isDue = row[5]
        return event
    }
}
