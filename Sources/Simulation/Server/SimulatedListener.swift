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

    /// Says what a write has changed, path by path in their order. Own writes that come back one after the other are told
    /// together, as those of one request are.
    func note(_ changed: [WirePath], _ before: Root, _ database: SimulatedDatabase) {
        var (echoed, echoedAt): ([BatchElement], UInt64) = ([], 0)
        for path in changed {
            let events = events(of: path, before, database)
            if case .echoed(let elements, let time)? = events.first, events.count == 1 {
                (echoed, echoedAt) = (echoed + elements, time)
                continue
            }
            tell(&echoed, at: echoedAt)
            if path.contains(place) { sendSnapshot(of: database) }
            if !events.isEmpty { send(events) }
        }
        tell(&echoed, at: echoedAt)
    }

    private func tell(_ echoed: inout [BatchElement], at time: UInt64) {
        if !echoed.isEmpty { send([.echoed(echoed, serverTime: time)]) }
        echoed = []
    }

    /// What is told of one path; nothing of one that all of it stands below.
    private func events(of path: WirePath, _ before: Root, _ database: SimulatedDatabase) -> [RemoteEvent] {
        guard !path.contains(place), let below = place.relative(path) else { return [] }
        let depth = database.depth(of: keyspace)
        let key = below.keys.prefix(depth).map(\.text).joined(separator: "/")
        if below.keys.count < depth { return all(below: key, database) }
        return change(of: key, isWhole: below.keys.count == depth, before, database).map { [$0] } ?? []
    }

    /// All below a key is what stands there now.
    private func all(below key: String, _ database: SimulatedDatabase) -> [RemoteEvent] {
        let present = database.keys(in: keyspace).filter { $0 == key || $0.hasPrefix(key + "/") }
        return [.replaced(below: key, by: present)] + present.map { .changed(database.entry($0, in: keyspace)) }
    }

    private func change(
        of key: String, isWhole: Bool, _ before: Root, _ database: SimulatedDatabase
    ) -> RemoteEvent? {
        let entry = database.entry(key, in: keyspace)
        let event = isWhole ? change(of: key, to: entry, database) : .touched(key: key)
        guard cursor != nil else { return event }
        let path = SimulatedDatabase.path(of: key, in: keyspace)
        let old = EntrySpelling.entry(key, SimulatedDatabase.value(before.value(at: path)), in: keyspace)
        if isShown(entry) { return event }
        return isShown(old) ? .changed(RemoteEntry(key: key, value: .absent)) : nil
    }

    private func change(of key: String, to entry: RemoteEntry, _ database: SimulatedDatabase) -> RemoteEvent {
        guard let text = database.root.value(at: SimulatedDatabase.path(of: key, in: keyspace))?.text,
            let (write, time) = sent.echo(key, in: keyspace, text)
        else { return .changed(entry) }
        return .echoed([write], serverTime: time)
    }

    private func isShown(_ entry: RemoteEntry) -> Bool {
        guard let cursor else { return entry.value != .absent }
        return entry.value != .absent && entry.serverTime ?? 0 >= cursor
    }
}
