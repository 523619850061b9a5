internal import JSONText
internal import SyncModel

/// What this node wrote, as a stream shows it.
extension CollectionMachine {
    /// What this node wrote is shown: mostly it is waited for, and says no more than the base does.
    mutating func take<Book>(
        echoed elements: [BatchElement], at time: UInt64, of keyspace: Keyspace, gone: inout [RecordID],
        _ step: inout Step<Book>
    ) throws {
        var tellsNothing = try tellsNothing(ofEchoesIn: keyspace, step.book)
        var told: [RecordID] = []
        // By their places: one that is taken out is copied.
        for place in elements.indices {
            if tellsNothing, let id = rules.recordID(of: elements[place].key), !inFlight.contains(id),
                let echo = unechoed[id], elements[place].write.map(echo.is) ?? false
            {
                unechoed[id] = nil
                told.append(id)
            } else if let write = elements[place].write {
                try take(step.reader.read(write, at: time, in: keyspace), of: keyspace, gone: &gone, &step)
                tellsNothing = try self.tellsNothing(ofEchoesIn: keyspace, step.book)
            }
        }
        // One more than are kept tells that there are many.
        for id in told.suffix(NewestWrites.most + 1) {
            streams[keyspace]?.note(time, of: id, step.time.policy, at: step.time.monotonic)
        }
        if let id = streams[keyspace]?.acknowledged, unechoed[id] == nil { streams[keyspace]?.noteShown(id, at: time) }
    }

    /// Whether all that an awaited echo says is its time.
    private func tellsNothing(ofEchoesIn keyspace: Keyspace, _ book: some RecordBook) throws -> Bool {
        guard case .records = keyspace, !rules.key.isKeyed, completeSnapshot == nil, seenSinceKeys == nil,
            let stream = streams[keyspace], stream.phase == .live, stream.awaited.isEmpty, stream.unread.isEmpty
        else { return false }
        return try !book.anyQuarantined() && !book.anyHeld()
    }
}

/// What a stream will show of a write that was acknowledged, where it can be told from the entry alone.
struct Echo: Sendable {
    var stamp: Stamp?
    var hash: ContentHash?
    /// Whether all its fields have the stamp of the version.
    var hasOneStamp = false

    /// Whether this entry says no more than the record's base: nobody needs to look at the record then.
    ///
    /// True only where nothing has been learned of the record since the write was acknowledged.
    func `is`(_ entry: ObservedEntry, _ book: some RecordBook) throws -> Bool {
        guard case .record(.stamped(let version)) = entry.value, entry.nonCanonicalKey == nil,
            shows(version.content, version.stamp), version.isIdentified, version.hasOneStamp == hasOneStamp
        else { return false }
        return try !book.anyQuarantined() && !book.anyHeld()
    }

    /// Whether it is that of this write.
    func `is`(_ write: RemoteWrite) -> Bool {
        guard case .record(let content, _, _) = write.body else { return false }
        return shows(content, write.stamp)
    }

    private func shows(_ content: Content, _ stamp: Stamp) -> Bool {
        guard let hash else { return false }
        return stamp == self.stamp && content.hash == hash
    }
}
