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
            } else if let below = place.relative(path) {
                let depth = database.depth(of: keyspace)
                let key = below.keys.prefix(depth).map(\.text).joined(separator: "/")
                if below.keys.count < depth {
                    noteAll(below: key, database)
                } else {
                    note(key, isWhole: below.keys.count == depth, before, database)
                }
            }
        }
    }

    /// All below a key is what stands there now.
    private func noteAll(below key: String, _ database: SimulatedDatabase) {
        let present = database.keys(in: keyspace).filter { $0 == key || $0.hasPrefix(key + "/") }
        send([.replaced(below: key, by: present)] + present.map { .changed(database.entry($0, in: keyspace)) })
    }

    private func note(_ key: String, isWhole: Bool, _ before: Root, _ database: SimulatedDatabase) {
        let entry = database.entry(key, in: keyspace)
        let event = isWhole ? change(of: key, to: entry, database) : .touched(key: key)
        guard cursor != nil else { return send([event]) }
        let path = SimulatedDatabase.path(of: key, in: keyspace)
        let old = EntrySpelling.entry(key, SimulatedDatabase.value(before.value(at: path)), in: keyspace)
        if isShown(entry) {
            send([event])
        } else if isShown(old) {
            send([.changed(RemoteEntry(key: key, value: .absent))])
        }
    }

    private func change(of key: String, to entry: RemoteEntry, _ database: SimulatedDatabase) -> RemoteEvent {
        guard let text = database.root.value(at: SimulatedDatabase.path(of: key, in: keyspace))?.text,
            let (write, time) = sent.echo(key, in: keyspace, text)
        else { return .changed(entry) }
        return .echoed(write, serverTime: time)
    }

    private func isShown(_ entry: RemoteEntry) -> Bool {
        guard let cursor else { return entry.value != .absent }
        return entry.value != .absent && entry.serverTime ?? 0 >= cursor
    }
}
