internal import SyncModel

/// What can't be read while others can is set aside, and delays nobody. Where a request is called wrong, or denied, that may
/// be said of every record: one that nobody has is asked for.
extension CollectionMachine {
    /// What was shown, with what an app may have written under a stamp of ours read with care: it may be no record.
    func carefully<Book>(
        _ shown: ObservedEntry, _ id: RecordID, _ step: Step<Book>
    ) throws -> ObservedEntry {
        guard case .record(.stamped) = shown.value else { return shown }
        return step.reader.carefully(shown, over: try step.book.record(key(id)).state)
    }

    /// What a stream has shown. What is in quarantine stays there where a read would put it there again: it is looked at as
    /// carefully.
    func judged<Book>(_ shown: ObservedEntry, _ step: Step<Book>) throws -> ObservedEntry {
        guard let id = shown.id, case .record(.stamped) = shown.value,
            try !items(named: shown.nameInQuarantine, areTombstones: false, step.book).isEmpty
        else { return shown }
        let careful = try carefully(shown, id, step)
        return careful.isReadable ? shown : careful
    }

    /// - Parameters:
    ///   - kind: what the refused request was for.
    ///   - error: what is said of it where others can be read.
    mutating func askForNobodys<Book>(
        after kind: Job.Kind, _ error: RemoteError, in keyspace: Keyspace, _ step: inout Step<Book>
    ) {
        let nobodys = RecordID(high: 0x4000, low: 1 << 63)
        send(.readNobodys(after: kind, error), .read(nobodys.description, keyspace), &step)
    }

    mutating func readNobodys<Book>(
        after kind: Job.Kind, _ error: RemoteError, answered entry: RemoteEntry, _ step: inout Step<Book>
    ) throws {
        guard !entry.isDoubtful else {
            notAnswered(kind)
            backOff(error, &step)
            return try complete(Job.records(of: kind), &step)
        }
        switch kind {
        case .readRefused(let id, let sent, _):
            return try judgeRefused(id, sent, error, try step.book.record(key(id)).state, &step)
        case .readDuplicate(let second): try setAside(secondKey: second.key, of: second.id, error, &step)
        case .read(let id, let hint): try setAside(id, hint, error, &step)
        default: break
        }
        try complete(Job.records(of: kind), &step)
    }

    /// What was asked for is due again.
    mutating func notAnswered(_ kind: Job.Kind) {
        switch kind {
        case .read(let id, let hint): notRead(id, hint)
        case .readDuplicate(let second): hint(second.id, .second(second))
        default: break
        }
    }

    /// A read was not answered, and is due again; what only a push needs also while the pull is paused.
    mutating func notRead(_ id: RecordID, _ hint: Hint) {
        self.hint(id, hint)
        if paused.contains(.pull), hints[id]?.isOnlyForPush ?? false { leaveToPush(id) }
    }

    /// A second key waits with it: until the record has been read nobody knows whether that is its own.
    mutating func setAside<Book>(
        _ id: RecordID, _ hint: Hint, _ error: RemoteError, _ step: inout Step<Book>
    ) throws {
        let name = try rules.key.isKeyed ? id.description : step.book.record(key(id)).state.keyInRemote
        try quarantine(name, Defect(.unreadableRecord, "the record can't be read: \(error.message)"), &step)
        guard let second = hint.duplicateKey, second != name else { return }
        let reason = "it is a second key of \(id), which can't be read: \(error.message)"
        try quarantine(second, Defect(.unreadableRecord, reason), &step)
    }

    /// It waits to be shown, or tried, again.
    mutating func setAside<Book>(
        secondKey key: String, of id: RecordID, _ error: RemoteError, _ step: inout Step<Book>
    ) throws {
        let reason = "it is a second key of \(id), and can't be read: \(error.message)"
        try quarantine(key, Defect(.unreadableRecord, reason), &step)
    }
}
