internal import FoundationEssentials
internal import JSONText
internal import SQLiteFile
internal import SyncModel

/// How a record's state stands in its row.
///
/// What is the same on both sides is written once: no hash of the base says that its content is what is known, no common
/// stamp of the base that its stamps are, and no common stamp of the fields that it is the version's. Of a base that carries
/// no stamps it says that those which the fields had before are not known.
extension HotStatement {
    /// - Parameter unacknowledged: the runs of records that stand in their rows as if they were acknowledged.
    func record(_ collection: CollectionID, _ unacknowledged: UnacknowledgedRows) -> StoredRecord {
        let stored = record(collection)
        guard let row = stored.row, let run = unacknowledged.run(of: row) else { return stored }
        return stored.unacknowledged(run)
    }

    /// A record of a run, from the columns that such a one has.
    func newRecord(_ key: RecordKey, _ run: UnacknowledgedRows.Run) -> StoredRecord? {
        guard let row = integer(0), let stamp = stamp(2), let text = bytes(3), let hash = hash(4) else { return nil }
        var state = RecordState(key)
        state.stamp = stamp
        state.known.fields = StampedContent(Content(text: text, hash: hash), FieldStamps(stamp))
        state.base = run.base
        state.ownStamp = self.stamp(5)
        state.newInRun = run.newInRun
        state.timesPutBack = Int(integer(6) ?? 0)
        return StoredRecord(
            state: state, row: row, standing: .init(live: true, pending: .yes), pendingSince: run.pendingSince,
            lastChange: integer(7))
    }

    private func record(_ collection: CollectionID) -> StoredRecord {
        let id = recordID(1) ?? RecordID(high: 0, low: 0)
        var state = RecordState(RecordKey(collection, id))
        state.stamp = stamp(2)
        if let text = bytes(3), let hash = hash(4), let common = stamp(5) ?? state.stamp {
            state.known.fields = StampedContent(
                Content(text: text, hash: hash), FieldStamps(common, named: named(6)))
        }
        state.known.deletion = stamp(7)
        state.base = base(state.known.fields)
        state.remoteKey = text(16)
        state.observed = observation(17)
        state.editedOver = bytes(18).flatMap { try? JSONReader.members($0) } ?? [:]
        if let stamp = stamp(19) {
            state.tombstone = KnownTombstone(stamp: stamp, contentHash: hash(20), etag: text(21))
        }
        state.ownStamp = stamp(22)
        state.newInRun = integer(23)
        state.timesPutBack = Int(integer(24) ?? 0)
        let pending = integer(26).flatMap { Pending(rawValue: Int($0)) } ?? .no
        return StoredRecord(
            state: state, row: integer(0), standing: state.standing(pending), pendingSince: integer(27),
            lastChange: integer(28))
    }

    private func base(_ known: StampedContent?) -> RecordState.Base {
        guard let kind = integer(8), kind > 0 else { return .unknown }
        guard kind > 1 else { return .absent }
        let content: Content? =
            if let hash = hash(11), let text = bytes(12) { Content(text: text, hash: hash) } else { known?.content }
        guard let content else { return .unknown }
        let stamp = stamp(9)
        let stamps = self.stamp(13).map { FieldStamps($0, named: named(14)) }
        return .present(
            RemoteSnapshot(
                stamp: stamp, lastStamp: self.stamp(10), lastFieldStamps: stamp == nil ? stamps : nil, content: content,
                fieldStamps: stamp == nil ? nil : stamps ?? known?.stamps, etag: text(15),
                isComplete: kind == RecordState.Base.complete))
    }

    private func named(_ index: Int32) -> [String: Stamp] {
        guard let text = bytes(index) else { return [:] }
        return ((try? JSONReader.members(text)) ?? [:]).compactMapValues { $0.text.flatMap { Stamp($0) } }
    }

    private func observation(_ index: Int32) -> Observation? {
        guard let blob = blob(index) else { return nil }
        return blob.count == 16 ? stamp(index).map { .whole($0) } : .fields(named(index))
    }

    /// Binds all columns but the first two; the next free parameter is the 28th.
    func bind(_ stored: StoredRecord, pending: Pending, now: UInt64) {
        let state = stored.state
        let known = state.known.fields
        bind(1, state.stamp)
        bind(2, known?.content.text)
        bind(3, known?.content.hash)
        bind(4, known?.stamps.common == state.stamp ? nil : known?.stamps.common)
        bind(5, text(of: known?.stamps.named ?? [:]))
        bind(6, state.known.deletion)
        bindBase(state, known)
        bind(15, state.remoteKey)
        switch state.observed {
        case nil: bindNull(16)
        case .whole(let stamp)?: bind(16, stamp)
        case .fields(let stamps)?: bind(16, text(of: stamps))
        }
        bind(17, state.editedOver.isEmpty ? nil : JSONWriter.text(state.editedOver))
        bind(18, state.tombstone?.stamp)
        bind(19, state.tombstone?.contentHash)
        bind(20, state.tombstone?.etag)
        bind(21, state.ownStamp)
        bind(22, state.newInRun)
        bind(23, Int64(state.timesPutBack))
        bind(24, state.isLive ? 1 : 0)
        bind(25, Int64(pending.rawValue))
        bind(26, pending == .no ? nil : stored.pendingSince ?? Int64(now))
        bind(27, stored.lastChange)
    }

    private func bindBase(_ state: RecordState, _ known: StampedContent?) {
        let remote = state.remote
        let sharesContent = remote?.content == known?.content
        let sharesStamps = remote?.fieldStamps == known?.stamps && remote?.lastFieldStamps == nil
        let stamps = remote?.fieldStamps ?? remote?.lastFieldStamps
        bind(7, state.base.kind)
        bind(8, remote?.stamp)
        bind(9, remote?.lastStamp)
        bind(10, sharesContent ? nil : remote?.content.hash)
        bind(11, sharesContent ? nil : remote?.content.text)
        bind(12, sharesStamps ? nil : stamps?.common)
        bind(13, sharesStamps ? nil : text(of: stamps?.named ?? [:]))
        bind(14, remote?.etag)
    }

    private func text(of named: [String: Stamp]) -> [UInt8]? {
        named.isEmpty ? nil : JSONWriter.text(named.mapValues { .string($0.description) })
    }
}

extension RecordState {
    /// Whether a reader sees the record.
    var isLive: Bool { observed != nil || known.isLive }

    /// What is counted of a record in this state.
    func standing(_ pending: Pending) -> StoredRecord.Standing {
        StoredRecord.Standing(live: isLive, tombstone: !isLive && known.deletion != nil, pending: pending)
    }
}

extension StoredRecord {
    /// The record as it is where its row says that it is acknowledged, and a run that it is not.
    fileprivate func unacknowledged(_ run: UnacknowledgedRows.Run) -> StoredRecord {
        var state = state
        state.base = run.base
        state.newInRun = run.newInRun
        return StoredRecord(
            state: state, row: row, standing: state.standing(.yes), pendingSince: run.pendingSince,
            lastChange: lastChange)
    }
}

extension RecordState.Base {
    /// What ``kind`` is of what was read as a whole.
    static let complete: Int64 = 2

    /// How the column `base` says what is known of the remote.
    var kind: Int64 {
        switch self {
        case .unknown: 0
        case .absent: 1
        case .present(let snapshot): snapshot.isComplete ? RecordState.Base.complete : 3
        }
    }
}
