internal import EventStream
internal import FirebaseWire
internal import PluginKit
internal import SyncModel

/// Says what the parts of `put` and `patch` events mean for a keyspace.
struct PutTranslator {
    private let keyspace: Keyspace
    private let depth: Int
    private let sent: SentEntries
    private var isPatch = false
    private var isArray = false
    private var entries = 0
    private var hasSnapshot = false
    /// What a patch removes, or replaces: told together, at its end, so that the brakes can weigh it as a whole.
    private var removals: [RemoteEvent] = []
    /// What was understood and not yet fetched.
    private(set) var events: [RemoteEvent] = []

    /// - Parameters:
    ///   - depth: how many keys, one below the other, lead to an entry.
    ///   - sent: what this process wrote.
    init(keyspace: Keyspace, depth: Int, sent: SentEntries) {
        self.keyspace = keyspace
        self.depth = depth
        self.sent = sent
    }

    /// For the next event. What holds many entries may be larger than one of them.
    var newSplitter: PutSplitter { depth > 1 ? PutSplitter(limit: NestedEntries.limit) : PutSplitter() }

    /// The events understood so far; they are forgotten here.
    mutating func taken() -> [RemoteEvent] {
        defer { events = [] }
        return events
    }

    /// For the next `patch`.
    var newEcho: WholeEcho { WholeEcho(keyspace: keyspace, sent: sent) }

    /// An event begins whose parts follow.
    mutating func begin(isPatch: Bool) {
        self.isPatch = isPatch
        removals = []
    }

    mutating func take(_ part: PutSplitter.Part) throws {
        switch part {
        case .opened(let isArray):
            self.isArray = isArray
            if !isPatch { beginSnapshot() }
        case .child(let key, let excerpt):
            if isPatch { takePatched(key, excerpt) } else { takeEntry(key, excerpt) }
        case .closed:
            if !isPatch { events.append(.snapshotEnded(entries: entries)) }
            tellRemovals()
        case .value(let path, let excerpt):
            try takeValue(path, excerpt)
        }
        try checkBeginning()
    }

    /// What was written has come back as a whole.
    mutating func take(echo: RemoteEvent) throws {
        try checkBeginning()
        events.append(echo)
    }

    private mutating func checkBeginning() throws {
        guard !hasSnapshot else { return }
        events = []
        throw EventStreamError("the stream did not begin with a snapshot")
    }

    private mutating func tellRemovals() {
        events += removals
        removals = []
    }

    private mutating func beginSnapshot() {
        hasSnapshot = true
        entries = 0
        events.append(.snapshotBegan)
    }

    /// A null in a snapshot is a hole of an array, not an entry.
    private mutating func takeEntry(_ key: String, _ excerpt: JSONExcerpt) {
        if excerpt.isNull { return }
        guard depth == 1 else {
            for (key, excerpt) in NestedEntries.all(below: key, excerpt, levels: depth - 1) { add(key, excerpt) }
            return
        }
        add(key, excerpt)
    }

    private mutating func add(_ key: String, _ excerpt: JSONExcerpt) {
        entries += 1
        events.append(.snapshotEntry(EntryCoder.entry(key, excerpt, in: keyspace)))
    }

    /// The keys of a path.
    private static func segments(_ path: String) -> [Substring] {
        // Nearly all paths are one key, and looking at bytes is much cheaper than at characters.
        guard path.utf8.offset(of: UInt8(ascii: "/")) != nil else { return path.isEmpty ? [] : [path[...]] }
        return path.pieces(between: "/")
    }

    private mutating func takePatched(_ key: String, _ excerpt: JSONExcerpt) {
        let segments = PutTranslator.segments(key)
        guard !segments.isEmpty else { return }
        // A null in an array is a hole or a removal: only a read can tell.
        if segments.count == 1, isArray, excerpt.isNull {
            events.append(.touched(key: key))
        } else {
            takeChange(segments, excerpt)
        }
    }

    private mutating func takeChange(_ segments: [Substring], _ excerpt: JSONExcerpt) {
        // Mostly it is one, and joining is dear.
        let key = segments.count == 1 ? String(segments[0]) : segments.prefix(depth).joined(separator: "/")
        if segments.count > depth { return events.append(.touched(key: key)) }
        if segments.count == depth {
            let event = event(key, excerpt)
            if isPatch, event.isRemoval { removals.append(event) } else { events.append(event) }
            return
        }
        // What is too long to be taken apart shows nothing of what stands there.
        if excerpt.isTooLong { return events.append(.touched(key: key)) }
        let entries = NestedEntries.all(below: key, excerpt, levels: depth - segments.count)
        let event = RemoteEvent.replaced(below: key, by: entries.map(\.0))
        if isPatch { removals.append(event) } else { events.append(event) }
        for (key, excerpt) in entries { events.append(.changed(EntryCoder.entry(key, excerpt, in: keyspace))) }
    }

    private func event(_ key: String, _ excerpt: JSONExcerpt) -> RemoteEvent {
        if case .text(let text) = excerpt, let (write, time) = sent.echo(key, in: keyspace, text) {
            return .echoed([write], serverTime: time)
        }
        return .changed(EntryCoder.entry(key, excerpt, in: keyspace))
    }

    private mutating func takeValue(_ path: String, _ excerpt: JSONExcerpt) throws {
        let segments = PutTranslator.segments(path)
        if !segments.isEmpty {
            if isPatch, segments.count < depth {
                takePatched(below: segments, excerpt)
                tellRemovals()
            } else if isPatch {
                events.append(.touched(key: segments.prefix(depth).joined(separator: "/")))
            } else {
                takeChange(segments, excerpt)
            }
        } else if !isPatch {
            beginSnapshot()
            takeEntry("", excerpt)
            events.append(.snapshotEnded(entries: entries))
        }
    }

    /// A patch of what holds entries: each of its members is the change of what stands there.
    private mutating func takePatched(below segments: [Substring], _ excerpt: JSONExcerpt) {
        let isRead =
            if case .text(let text) = excerpt {
                (try? PutSplitter.parts(of: text, limit: NestedEntries.limit) { part in
                    guard case .child(let key, let child) = part else { return }
                    takeChange(segments + PutTranslator.segments(key), child)
                }) != nil
            } else {
                false
            }
        if !isRead { events.append(.touched(key: segments.joined(separator: "/"))) }
    }
}

extension RemoteEvent {
    /// Whether something may be gone.
    var isRemoval: Bool {
        switch self {
        case .changed(let entry): entry.value == .absent
        case .replaced: true
        case .snapshotBegan, .snapshotEntry, .snapshotEnded, .echoed, .touched: false
        }
    }
}
