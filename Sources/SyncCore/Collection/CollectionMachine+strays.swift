internal import SyncModel

/// Keys that are none of a record's: left as they are, in quarantine, until they are gone.
extension CollectionMachine {
    /// An entry whose key is no record's.
    mutating func takeStray<Book>(_ entry: ObservedEntry, _ step: inout Step<Book>) throws {
        if case .unreadable(let defect) = entry.value {
            try quarantine(entry, defect, &step)
        } else {
            try releaseUnreadable(entry, nil, &step)
        }
    }

    /// Whether a key is one that a record has inside: below a base it says that the base looks like one record.
    func isPartOfRecord(_ key: String) -> Bool {
        key == rules.titleField || rules.identityNames.contains(key) || rules.merge.defaults[key] != nil
    }

    /// Takes out of the quarantine what a snapshot of the records has not shown. What this node had under such a key has been
    /// found missing before, so that it is read before it is pushed.
    mutating func releaseGone<Book>(from snapshot: CompleteSnapshot, _ step: inout Step<Book>) throws {
        guard try step.book.anyQuarantined(), let stream = streams[.records(rules.id)] else { return }
        try releaseGone(areTombstones: false, &step) { [rules] names in
            guard let list = snapshot.list else {
                return names.filter { stream.strayKeys.contains($0) || stream.unread.contains($0) }
            }
            let seen = names.filter { RecordID($0).map(snapshot.shownIDs.contains) ?? false }
            let listed = list.lazy.map { RecordID($0) == nil ? rules.recordID(of: $0)?.description ?? $0 : $0 }
            return seen.union(listed.filter(names.contains))
        }
    }

    /// The same for tombstones.
    mutating func releaseGoneTombstones<Book>(_ step: inout Step<Book>) throws {
        guard try step.book.anyQuarantined(), let stream = streams[.tombstones(rules.id)] else { return }
        try releaseGone(areTombstones: true, &step) { names in names.filter(stream.unread.contains) }
    }

    /// - Parameter present: which of these names the remote shows.
    private mutating func releaseGone<Book>(
        areTombstones: Bool, _ step: inout Step<Book>, but present: (Set<String>) -> Set<String>
    ) throws {
        let items = try [Defect.Code.unreadableRecord, .futureStamp].flatMap { code in
            try step.book.quarantined(code: code, in: rules.id).filter {
                $0.source == .pull && $0.isTombstone == areTombstones
            }
        }
        let shown = present(Set(items.compactMap(\.record)))
        for item in items where !(item.record.map(shown.contains) ?? false) {
            try release(unreadable: item, item.record.flatMap { RecordID($0) }, &step)
        }
    }

    /// What stood under the beginning of keys, and below it, is replaced.
    ///
    /// - Parameter present: what stands there now.
    func releaseStrays<Book>(from beginning: String, but present: Set<String>, _ step: inout Step<Book>) throws {
        guard try step.book.anyQuarantined() else { return }
        for item in try step.book.quarantined(code: .unreadableRecord, in: rules.id) where item.source == .pull {
            guard let name = item.record, !present.contains(name), RecordID(name) == nil,
                rules.recordID(of: name) == nil
            else { continue }
            if name == beginning || name.hasPrefix(beginning + "/") { try step.book.release(item, step.context) }
        }
    }

    /// Something stands below these beginnings of keys, and below the base: none of them is a value any more.
    mutating func releaseStrays<Book>(above key: String, _ step: inout Step<Book>) throws {
        guard !key.isEmpty, try step.book.anyQuarantined() else { return }
        try releaseUnreadable("", nil, &step)
        var beginning = ""
        for piece in key.split(separator: "/").dropLast() {
            beginning += beginning.isEmpty ? piece : "/" + piece
            try releaseUnreadable(beginning, nil, &step)
        }
    }
}
