package import SyncModel

extension RecordBook {
    /// The changes of a record that are kept, newest first, at most `limit`; none where it is forgotten.
    package func changes(of key: RecordKey, before sequence: Int64 = .max, limit: Int) throws -> [Change] {
        try changes(of: key, endingWith: nil, before: sequence, limit: limit)
    }

    /// The contents that a record had here while its version's stamp was this one; none where this node does not know them
    /// all (it never saw that version, or has forgotten it).
    ///
    /// An app's write that is observed leaves the stamp, and a version that shows what was there already leaves no change:
    /// what was there before the first change with the stamp counts, too, where that was an app's.
    func contents(of key: RecordKey, at stamp: Stamp) throws -> [Content] {
        let changes = try changes(of: key, limit: mostChanges)
        let shown = changes.filter { $0.laterStamps.contains(stamp) }.compactMap(\.version.content)
        guard let first = changes.lastIndex(where: { $0.version.stamp == stamp }) else { return shown }
        guard first + 1 < changes.count || changes[first].kind == .create else { return shown }
        let isByApp = changes[first].author() == .app
        let last = isByApp ? first + 2 : first + 1
        return shown + changes.prefix(last).filter { $0.version.stamp <= stamp }.compactMap(\.version.content)
    }
}

/// How far back changes are looked at: an app that holds a version from before that many of one record is rare.
private let mostChanges = 200
