internal import DatabaseTree
internal import FirebaseWire
internal import SyncModel

/// One open event stream, as the database sees it: a snapshot first, then what changes.
final class SimulatedListener {
    let keyspace: Keyspace
    /// Only what the server stamped at or after this time; nil for everything.
    let cursor: UInt64?
    private let place: WirePath
    /// What the one who listens has sent.
    private let sent: SentEntries
    private let send: ([RemoteEvent]) -> Void

    init(_ keyspace: Keyspace, after cursor: UInt64?, _ sent: SentEntries, send: @escaping ([RemoteEvent]) -> Void) {
        self.keyspace = keyspace
        self.cursor = cursor
        self.sent = sent
        place = SimulatedDatabase.path(of: keyspace)
        self.send = send
    }

    func sendSnapshot(of database: SimulatedDatabase) {
        let entries = database.entries(in: keyspace).filter(isShown)
        send([.snapshotBegan] + entries.map { .snapshotEntry($0) } + [.snapshotEnded(entries: entries.count)])
    }

    /// Says what a write has changed, path by path in their order.
    func note(_ changed: [WirePath], _ before: Root, _ database: SimulatedDatabase) {
        for path in changed {
            if path.contains(place) {
                sendSnapshot(of: database)
            } else if let below = place.relative(path), let key = below.keys.first {
                note(key, isWhole: below.keys.count == 1, before, database)
            }
        }
    }

    private func note(_ key: WireKey, isWhole: Bool, _ before: Root, _ database: SimulatedDatabase) {
        let entry = database.entry(key.text, in: keyspace)
        let event = isWhole ? change(of: key, to: entry, database) : .touched(key: key.text)
        guard cursor != nil else { return send([event]) }
        let old = EntrySpelling.entry(
            key.text, SimulatedDatabase.value(before.value(at: place.appending(key))), in: keyspace)
        if isShown(entry) {
            send([event])
        } else if isShown(old) {
            send([.changed(RemoteEntry(key: key.text, value: .absent))])
        }
    }

    private func change(of key: WireKey, to entry: RemoteEntry, _ database: SimulatedDatabase) -> RemoteEvent {
        guard let text = database.root.value(at: place.appending(key))?.text,
            let (write, time) = sent.echo(key.text, in: keyspace, text)
        else { return .changed(entry) }
        return .echoed(write, serverTime: time)
    }

    private func isShown(_ entry: RemoteEntry) -> Bool {
        guard let cursor else { return entry.value != .absent }
        return entry.value != .absent && entry.serverTime ?? 0 >= cursor
    }
}
