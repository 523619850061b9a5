internal import GRDB
internal import SQLiteFile
internal import SyncModel

/// Which records and operations the state may have.
struct Presence: Sendable {
    private let records = PresenceFilter()
    private let operations = PresenceFilter()

    func mayContain(_ id: RecordID) -> Bool { records.mayContain(Presence.number(id)) }
    func insert(_ id: RecordID) { records.insert(Presence.number(id)) }
    func mayContain(_ mark: OperationMark) -> Bool { operations.mayContain(mark.words.0) }
    func insert(_ mark: OperationMark) { operations.insert(mark.words.0) }

    /// Reads what is there: a third of a second for a million of each.
    func read(_ db: Database) throws {
        let ids = try HotStatement(db, RecordIndex.idsText)
        defer { ids.reset() }
        while try ids.next() { if let id = ids.recordID(0) { insert(id) } }
        try OperationMark.forEach(in: db) { mark in
            insert(mark)
            return true
        }
        records.complete()
        operations.complete()
    }

    private static func number(_ id: RecordID) -> UInt64 { id.high &* 0x9e37_79b9_7f4a_7c15 ^ id.low }
}

extension LocalStore {
    /// Reads which records and operations there are, so that new ones are known for such at once. Everything works before;
    /// writers need not wait meanwhile.
    package func readPresence() async throws {
        try await database.read { [presence] db in try presence.read(db) }
    }
}
