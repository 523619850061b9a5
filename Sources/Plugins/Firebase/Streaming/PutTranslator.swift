internal import EventStream
internal import PluginKit
internal import SyncModel

/// Says what the parts of `put` and `patch` events mean for a keyspace.
struct PutTranslator {
    private let keyspace: Keyspace
    private var isPatch = false
    private var isArray = false
    private var entries = 0
    private var hasSnapshot = false
    /// What was understood and not yet fetched.
    private(set) var events: [RemoteEvent] = []

    init(keyspace: Keyspace) { self.keyspace = keyspace }

    /// The events understood so far; they are forgotten here.
    mutating func taken() -> [RemoteEvent] {
        defer { events = [] }
        return events
    }

    /// An event begins whose parts follow.
    mutating func begin(isPatch: Bool) { self.isPatch = isPatch }

    mutating func take(_ part: PutSplitter.Part) throws {
        switch part {
        case .opened(let isArray):
            self.isArray = isArray
            if !isPatch { beginSnapshot() }
        case .child(let key, let excerpt):
            if isPatch { takePatched(key, excerpt) } else { takeEntry(key, excerpt) }
        case .closed:
            if !isPatch { events.append(.snapshotEnded(entries: entries)) }
        case .value(let path, let excerpt):
            try takeValue(path, excerpt)
        }
        guard hasSnapshot else {
            events = []
            throw EventStreamError("the stream did not begin with a snapshot")
        }
    }

    private mutating func beginSnapshot() {
        hasSnapshot = true
        entries = 0
        events.append(.snapshotBegan)
    }

    /// A null in a snapshot is a hole of an array, not an entry.
    private mutating func takeEntry(_ key: String, _ excerpt: JSONExcerpt) {
        if excerpt.isNull { return }
        entries += 1
        events.append(.snapshotEntry(EntryCoder.entry(key, excerpt, in: keyspace)))
    }

    /// The first key of a path, and the rest of it where there is one.
    private static func segments(_ path: String) -> [Substring] {
        // Nearly all paths are one key, and looking at bytes is much cheaper than at characters.
        guard path.utf8.contains(UInt8(ascii: "/")) else { return path.isEmpty ? [] : [path[...]] }
        return path.split(separator: "/", maxSplits: 1)
    }

    private mutating func takePatched(_ key: String, _ excerpt: JSONExcerpt) {
        let segments = PutTranslator.segments(key)
        guard let first = segments.first else { return }
        // A null in an array is a hole or a removal: only a read can tell.
        if segments.count > 1 || (isArray && excerpt.isNull) {
            events.append(.touched(key: String(first)))
        } else {
            events.append(.changed(EntryCoder.entry(String(first), excerpt, in: keyspace)))
        }
    }

    private mutating func takeValue(_ path: String, _ excerpt: JSONExcerpt) throws {
        let segments = PutTranslator.segments(path)
        if let first = segments.first {
            if segments.count > 1 || isPatch {
                events.append(.touched(key: String(first)))
            } else {
                events.append(.changed(EntryCoder.entry(String(first), excerpt, in: keyspace)))
            }
        } else if !isPatch {
            beginSnapshot()
            takeEntry("", excerpt)
            events.append(.snapshotEnded(entries: entries))
        }
    }
}
