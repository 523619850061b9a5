internal import DatabaseTree
internal import FirebaseWire
internal import SyncCore
internal import SyncModel

/// A database that is set back to what it was before, and what must come of that.
extension SimulatedWorld {
    func setDatabaseBack(inView: Bool) {
        guard let copy = databaseCopy else { return }
        tell("the database goes back to an old state")
        wasSetBack = true
        checks.ended = [:]
        for id in ids { noteNewer(id, than: copy) }
        database.goBack(to: copy, inView: inView)
        if !inView { for node in nodes { node.suffer(.cut) } }
    }

    /// A version that a node knows is above an older one, wherever that comes from.
    private func noteNewer(_ id: RecordID, than copy: Root) {
        let key = RecordKey(rules.id, id)
        guard let older = stamps(of: id, in: copy), let newer = stamps(of: id, in: database.root),
            newest(older) < newest(newer),
            nodes.contains(where: { $0.isUp && $0.stamp(of: key).map { $0 >= newer.version } ?? false })
        else { return }
        checks.known[id] = max(checks.known[id] ?? .zero, newest(newer))
    }

    /// The stamps of a record that stands under its own key; nil where it has none.
    private func stamps(of id: RecordID, in root: Root) -> RemoteStamps? {
        let key = records.key(of: id)
        let value = SimulatedDatabase.value(root.value(at: SimulatedDatabase.path(of: key, in: .records(rules.id))))
        guard case .record(_, let stamps) = EntrySpelling.entry(key, value, in: .records(rules.id)).value else {
            return nil
        }
        return stamps
    }

    /// Of the edits of its fields; a version may be a merge, with a stamp above all of them.
    private func newest(_ stamps: RemoteStamps) -> Stamp { stamps.fields?.newest ?? stamps.version }

    /// An older copy has not won over what a node knew, but where a state was put back, too.
    func checkSetBack() {
        guard !hasTwins, !nodes.contains(where: \.wasRestored) else { return }
        for (id, known) in checks.known {
            guard let now = stamps(of: id, in: database.root).map(newest), now < known else { continue }
            report(.edits, "\(id.short) is there with \(now.brief) again, after \(known.brief)")
        }
    }
}
