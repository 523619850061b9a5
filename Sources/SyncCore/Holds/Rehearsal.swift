package import SyncModel

/// A book in which what is written is only remembered: what a decision would do, worked out over a book that is only read.
/// Feed and ledger hear nothing of it.
package final class Rehearsal<Real: RecordBook>: RecordBook {
    private let real: Real
    package var clock: HybridClock
    package let run: Int64
    private var records: [RecordKey: StoredRecord] = [:]
    /// Nil where one is removed.
    private var values: [String: [UInt8]?] = [:]
    private var operations: Set<OperationMark> = []
    private var allHolds: [Hold]
    /// What holds name each record that was asked for, hold by hold: one that has ended may have had thousands of its lines.
    private var named: [RecordKey: [Int64: [HeldRecord]]] = [:]
    private var attached: [HeldRecord] = []
    private var quarantined: [Place: [QuarantinedItem]] = [:]
    /// The numbers of what holds name no more, and of what has left the quarantine.
    private var released: Set<Int64> = []
    private var readmitted: Set<Int64> = []
    /// What is new gets numbers that nothing in the real book has.
    private var lastNumber: Int64 = 1 << 62

    package init(over real: Real) throws {
        self.real = real
        clock = real.clock
        run = real.run
        allHolds = try real.holds()
    }

    /// Where an item of the quarantine is looked for.
    private struct Place: Hashable {
        var collection: CollectionID?
        var record: String?
        var isLine: Bool
    }

    private func newNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Records

    package func record(_ key: RecordKey) throws -> StoredRecord { try records[key] ?? real.record(key) }

    package func save(_ stored: StoredRecord, pending: Pending, now: UInt64) throws -> Int64 {
        let row = stored.row ?? newNumber()
        let standing = StoredRecord.Standing(
            live: stored.standing.live, tombstone: stored.standing.tombstone, pending: pending)
        records[stored.state.key] = StoredRecord(
            state: stored.state, row: row, standing: standing, pendingSince: stored.pendingSince,
            lastChange: stored.lastChange)
        return row
    }

    package func forget(_ stored: StoredRecord) throws {
        let key = stored.state.key
        records[key] = StoredRecord(state: RecordState(key), row: nil, standing: .init(), pendingSince: nil)
    }

    package func acknowledge(
        _ key: RecordKey, row: Int64, _ sent: StampedContent, at stamp: Stamp
    ) throws -> Bool { false }

    package func append(
        change kind: Change.Kind, origin: Change.Origin, of key: RecordKey, _ version: Version, at: UInt64,
        past: ChangePast?, previous: Int64?
    ) throws -> Int64 { newNumber() }

    package func changes(
        of key: RecordKey, endingWith last: Int64?, before sequence: Int64, limit: Int
    ) throws -> [Change] {
        try real.changes(of: key, endingWith: last, before: sequence, limit: limit)
    }

    package func note(laterStamp stamp: Stamp, ofChange sequence: Int64) throws {}

    package func append(conflict entry: LedgerEntry) throws {}

    // MARK: Values

    package func value(_ name: String) throws -> [UInt8]? {
        if let value = values[name] { return value }
        return try real.value(name)
    }

    package func setValue(_ name: String, _ value: [UInt8]) throws { values[name] = value }

    package func removeValue(_ name: String) throws { values[name] = .some(nil) }

    package func registerOperations(
        _ marks: [OperationMark], now: UInt64, forgetsOld: Bool
    ) throws -> [Bool] {
        marks.map { operations.insert($0).inserted }
    }

    package func noted(_ marks: [OperationMark]) throws -> Set<OperationMark> {
        try real.noted(marks).union(operations.intersection(marks))
    }

    // MARK: Holds

    package func holds() throws -> [Hold] { allHolds }

    package func holds(of kind: HoldKind) throws -> [Hold] { allHolds.filter { $0.kind == kind } }

    package func hold(_ number: Int64) throws -> Hold? { allHolds.first { $0.number == number } }

    package func raise(_ hold: Hold) throws -> Int64 {
        var raised = hold
        raised.number = newNumber()
        allHolds.append(raised)
        return raised.number
    }

    package func setReason(_ reason: String, ofHold number: Int64) throws {
        for index in allHolds.indices where allHolds[index].number == number { allHolds[index].template = reason }
    }

    package func removeHold(_ number: Int64) throws { allHolds.removeAll { $0.number == number } }

    private func isStillHeld(_ entry: HeldRecord) -> Bool {
        !released.contains(entry.number) && isOpen(entry.hold)
    }

    private func isOpen(_ hold: Int64) -> Bool { allHolds.contains { $0.number == hold } }

    package func anyHeld() throws -> Bool { try real.anyHeld() || !attached.isEmpty }

    /// What names a record, by the hold that does.
    private func named(_ key: RecordKey) throws -> [Int64: [HeldRecord]] {
        if let known = named[key] { return known }
        let found = Dictionary(grouping: try real.held(key).filter { !released.contains($0.number) }, by: \.hold)
        named[key] = found
        return found
    }

    package func held(_ key: RecordKey) throws -> [HeldRecord] {
        try named(key).filter { isOpen($0.key) }.values.joined().sorted { $0.number < $1.number }
    }

    package func isHeld(_ key: RecordKey) throws -> Bool {
        try named(key).contains { isOpen($0.key) && !$0.value.isEmpty }
    }

    package func lastWaitingLine(of key: RecordKey, but numbers: Set<Int64>) throws -> HeldRecord? {
        try named(key).compactMap { number, entries in
            guard try hold(number)?.direction == .journal else { return nil }
            return entries.last { $0.payload != nil && !numbers.contains($0.number) }
        }.max { $0.number < $1.number }
    }

    package func waits(_ line: ArraySlice<UInt8>, of key: RecordKey) throws -> Bool {
        func isLine(_ payload: [UInt8]?) -> Bool { payload.map { $0[...] == line } ?? false }
        return try held(key).contains { isLine($0.payload) }
            || quarantined(collection: key.collection, record: key.id.description).contains {
                $0.source == .journal && isLine($0.payload)
            }
    }

    package func held(by hold: Int64) throws -> [HeldRecord] {
        try (real.held(by: hold) + attached.filter { $0.hold == hold }).filter(isStillHeld)
    }

    package func namesAny(hold: Int64) throws -> Bool { try !held(by: hold).isEmpty }

    package func insertHeld(
        _ key: RecordKey, hold: Int64, payload: [UInt8]?, lastEdit: Stamp, source: LineSource?
    ) throws {
        let entry = HeldRecord(
            number: newNumber(), hold: hold, key: key, payload: payload, lastEdit: lastEdit, source: source)
        _ = try named(key)
        named[key]?[hold, default: []].append(entry)
        attached.append(entry)
    }

    package func removeHeld(_ held: HeldRecord) throws {
        released.insert(held.number)
        named[held.key]?[held.hold]?.removeAll { $0.number == held.number }
    }

    // MARK: Quarantine

    package func anyQuarantined() throws -> Bool { try real.anyQuarantined() || !quarantined.isEmpty }

    private func present(
        _ items: [QuarantinedItem], and new: some Sequence<QuarantinedItem> = []
    ) -> [QuarantinedItem] { (items + new).filter { !readmitted.contains($0.number) } }

    /// Those that are new, in the order they came.
    private func new(_ isWanted: (QuarantinedItem) -> Bool) -> [QuarantinedItem] {
        quarantined.values.joined().filter(isWanted).sorted { $0.number < $1.number }
    }

    package func quarantined(_ number: Int64) throws -> QuarantinedItem? {
        present(try real.quarantined(number).map { [$0] } ?? [], and: new { $0.number == number }).first
    }

    package func quarantined(collection: CollectionID, record: String) throws -> [QuarantinedItem] {
        present(
            try real.quarantined(collection: collection, record: record),
            and: [true, false].flatMap { isLine in
                quarantined[Place(collection: collection, record: record, isLine: isLine)] ?? []
            }.sorted { $0.number < $1.number })
    }

    package func quarantinedAtRemote(collection: CollectionID, record: String) throws -> [QuarantinedItem] {
        present(
            try real.quarantinedAtRemote(collection: collection, record: record),
            and: quarantined[Place(collection: collection, record: record, isLine: false)] ?? [])
    }

    package func quarantined(code: Defect.Code, in collection: CollectionID) throws -> [QuarantinedItem] {
        present(
            try real.quarantined(code: code, in: collection),
            and: new { $0.collection == collection && $0.defect.code == code })
    }

    package func lowestStamp(quarantined code: Defect.Code, in collection: CollectionID) throws -> Stamp? {
        try quarantined(code: code, in: collection).compactMap(\.stamp).min()
    }

    /// Who looks at what would become of things tries nothing.
    package func noteRetried(_ item: QuarantinedItem) throws {}

    package func forgetUnlisted(of collection: CollectionID) throws {}

    package func wasRefused(_ key: RecordKey, at stamp: Stamp?) throws -> Bool { try real.wasRefused(key, at: stamp) }

    package func noteAttempt(_ item: QuarantinedItem, _ defect: Defect) throws {}

    package func insertQuarantined(_ item: QuarantinedItem) throws {
        var numbered = item
        numbered.number = newNumber()
        let place = Place(collection: item.collection, record: item.record, isLine: item.source == .journal)
        quarantined[place, default: []].append(numbered)
    }

    package func removeQuarantined(_ item: QuarantinedItem) throws { readmitted.insert(item.number) }

    // MARK: As they stand in the real book

    package func records(of collection: CollectionID, under key: String) throws -> [RecordID] {
        try real.records(of: collection, under: key)
    }
    package func pendingIDs(in collection: CollectionID) throws -> [RecordID] { try real.pendingIDs(in: collection) }

    package func tombstones(
        of collection: CollectionID, after: Stamp?, through: Stamp, limit: Int
    ) throws -> [RowOfTombstone] {
        try real.tombstones(of: collection, after: after, through: through, limit: limit)
    }

    package func deletes(
        of collection: CollectionID, after: Stamp?, through: Stamp, limit: Int
    ) throws -> [RowOfTombstone] {
        try real.deletes(of: collection, after: after, through: through, limit: limit)
    }

    package func forEachInBase(of collection: CollectionID, _ body: (Int64, RecordID) throws -> Void) throws {
        try real.forEachInBase(of: collection, body)
    }

    package func counts(of collection: CollectionID) throws -> CollectionCounts { try real.counts(of: collection) }
}
