internal import SyncModel

/// How far the streams of changes have been taken, as it is stored.
extension CollectionMachine {
    static func cursorName(_ keyspace: Keyspace) -> String {
        switch keyspace {
        case .records(let id): "cursor.records.\(id)"
        case .tombstones(let id): "cursor.tombstones.\(id)"
        }
    }

    func storedPlace(_ keyspace: Keyspace, _ book: some RecordBook) throws -> StreamPlace? {
        guard settings.pull == .incremental else { return nil }
        return try book.text(CollectionMachine.cursorName(keyspace)).flatMap { StreamPlace($0) }
    }

    /// A write was acknowledged: the stream will show it, unless it was faster than the answer.
    mutating func awaitShown(_ id: RecordID, _ keyspace: Keyspace) {
        guard settings.pull == .incremental, deferred[id]?.contains(where: { $0.0 == keyspace }) != true else { return }
        streams[keyspace]?.noteAcknowledged(id)
    }

    /// Stores how far each stream has been taken, with what it stands for: a low-water mark over everything that it has
    /// shown and that is not dealt with. Within a snapshot, which does not come in the order of times, it does not move.
    ///
    /// It includes the millisecond of the newest write seen: another write of the same millisecond may still come.
    func lowWater(_ keyspace: Keyspace) -> UInt64? {
        guard let stream = streams[keyspace], stream.phase == .live, var mark = stream.newest else { return nil }
        // So many are soon fewer: until then it stays where it is.
        guard hints.count < 1000 else { return nil }
        if let unread = stream.unread.lowest { mark = min(mark, unread - min(unread, 1)) }
        let waiting = stream.foreignChanges.floor(of: keyspace)
        for floor in [hints.floor(of: keyspace), requests.floor(of: keyspace), waiting] {
            mark = min(mark, floor ?? mark)
        }
        for entries in deferred.values {
            for (shownIn, entry) in entries where shownIn == keyspace { mark = min(mark, entry.serverTime ?? 0) }
        }
        return mark
    }

    mutating func saveCursors<Book>(_ step: inout Step<Book>) throws {
        // Were the daemon killed before the keys are compared, it would never compare them.
        guard settings.pull == .incremental, !isComparing, !isNewestAwaited, !isTimeSetBack else { return }
        for keyspace in settings.keyspaces(of: id) {
            guard let stream = streams[keyspace] else { continue }
            let mark = stream.newest ?? 0 > stream.stored?.reached ?? 0 ? lowWater(keyspace) : nil
            guard let place = streams[keyspace]?.reached(mark) else { continue }
            try step.book.setText(CollectionMachine.cursorName(keyspace), place.description)
        }
    }
}

extension Job {
    /// What the cursor must not pass while the request is in flight.
    func floor(of keyspace: Keyspace) -> UInt64? { Job.floor(of: keyspace, kind) }

    private static func floor(of keyspace: Keyspace, _ kind: Kind) -> UInt64? {
        switch kind {
        case .readNobodys(let kind, _): floor(of: keyspace, kind)
        case .read(_, let hint), .readTombstone(_, let hint, _): hint.floors[keyspace]
        case .readDuplicate(let second), .removeDuplicate(let second): second.floors[keyspace]
        case .readPage(let hints): hints.compactMap { $0.hint.floors[keyspace] }.min()
        default: nil
        }
    }
}
