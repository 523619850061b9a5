internal import SyncModel

/// Where hints are many they are read in pages.
extension CollectionMachine {
    private static let pageSize = 500

    /// Many hints are read by a range of keys, in the order of keys: each page goes on where the last one ended.
    mutating func nextPage<Book>(_ step: inout Step<Book>) throws -> (Job.Kind, RemoteCall)? {
        // Keys that are made of fields are no range of ids.
        guard !rules.key.isKeyed, hints.mayFillPage else { return nil }
        var page: [(id: RecordID, hint: Hint)] = []
        for id in hints.ids.sorted() where !inFlight.contains(id) {
            guard let hint = hints[id], hint.duplicateKey == nil, !hint.looksAtTombstone, !hint.isReadAlone else {
                continue
            }
            guard try step.book.record(key(id)).state.remoteKey == nil else { continue }
            page.append((id, hint))
            if page.count == CollectionMachine.pageSize { break }
        }
        guard page.count > CollectionMachine.maxSingleReads, let first = page.first, let last = page.last else {
            hints.noteNoPage()
            return nil
        }
        for (id, _) in page {
            hints[id] = nil
            inFlight.insert(id)
        }
        let call = RemoteCall.readRange(
            from: first.id.description, through: last.id.description, limit: 2 * CollectionMachine.pageSize,
            .records(rules.id))
        return (.readPage(page), call)
    }

    mutating func readPage<Book>(
        _ hints: [(id: RecordID, hint: Hint)], answered page: RemotePage, _ step: inout Step<Book>
    ) throws {
        let shown = Dictionary(page.entries.map { ($0.key, $0) }) { first, _ in first }
        var done: [RecordID] = []
        for (id, hint) in hints {
            let key = id.description
            if let entry = shown[key] {
                let observed = step.reader.read(entry, in: .records(rules.id))
                if try !hint.onlyCompares || !mustWait(observed, id, &step) {
                    try merge(observed, id, hint, tombstone: nil, &step)
                }
                done.append(id)
            } else if page.entries.isEmpty {
                // No ETag tells that the database has said this, and no record either.
                var alone = hint
                alone.isReadAlone = true
                self.hint(id, alone)
                done.append(id)
            } else if page.next.map({ key < $0 }) ?? true {
                try found(id, hint, RemoteEntry(key: key, value: .absent), &step)
            } else {
                self.hint(id, hint)
                done.append(id)
            }
        }
        try complete(done, &step)
    }
}
