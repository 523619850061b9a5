import JSONText
import SyncCore
import SyncModel

/// A record, a clock and a wall for tests, with short words for what happens to them.
struct RecordUnderTest {
    static let me = NodeID(1)
    static let other = NodeID(2)
    static let movies = MergeRules(defaults: ["hasWatched": false])

    var state = RecordState(RecordKey("movies", RecordID(high: 0x4011, low: 0b10 << 62)))
    var clock = HybridClock(node: me)
    var wall: UInt64 = 1000
    let rules: MergeRules

    init(_ rules: MergeRules = movies) { self.rules = rules }

    var keepsTombstones = true
    var context: StepContext {
        StepContext(rules: rules, wall: wall, namesReplaced: true, keepsTombstones: keepsTombstones)
    }

    /// A stamp of another node.
    static func at(_ time: UInt64, _ counter: UInt16 = 0, node: NodeID = other) -> Stamp {
        Stamp(physical: time, counter: counter, node: node)
    }

    /// A stamp of this node.
    static func mine(_ time: UInt64) -> Stamp { at(time, node: me) }

    static func version(
        _ fields: [String: JSONValue], _ common: Stamp, _ named: [String: Stamp] = [:]
    ) -> StampedContent {
        StampedContent(Content(fields: fields), FieldStamps(common, named: named))
    }

    static func film(_ title: String, watched: Bool = false) -> [String: JSONValue] {
        ["title": .string(title), "hasWatched": .bool(watched)]
    }

    private var gate: StampPolicy { StampPolicy(wall: 1 << 40, offset: 0, maxAhead: 0) }

    /// A record that this node has edited and not written yet.
    static func edited(_ fields: [String: JSONValue] = ["title": "A", "note": "n"]) -> RecordUnderTest {
        var record = RecordUnderTest()
        _ = record.sees(fields, 5)
        _ = record.edits(.update(["title": "mine"]), at: 900)
        return record
    }

    /// - Parameters:
    ///   - isBlind: its author knew of no version that it replaces.
    ///   - replaced: what it replaces; what the remote holds where nothing is said.
    ///   - past: what stood under its stamp before, where that is known.
    mutating func sees(
        _ shown: StampedContent, _ stamp: Stamp, etag: String? = "e", isBlind: Bool = false,
        replacing replaced: Stamp? = nil, past: [Content] = []
    ) -> Outcome {
        let replaces = isBlind ? nil : replaced ?? state.remote?.stamp
        let stamps = RemoteStamps(stamp, fields: shown.stamps, replaces: replaces)
        guard let version = try? gate.admit(shown.content, stamps) else { return Outcome() }
        return state.read(.stamped(version), etag: etag, past: past, clock: &clock, context)
    }

    /// Merges a version, whatever the remote holds.
    mutating func merges(_ shown: StampedContent, _ stamp: Stamp) throws {
        let version = try gate.admit(shown.content, RemoteStamps(stamp, fields: shown.stamps))
        _ = state.mergedDuplicate(.stamped(version), clock: &clock, context)
    }

    /// Reads a version of another node, all of whose fields have its stamp.
    mutating func sees(
        _ fields: [String: JSONValue], _ time: UInt64, etag: String? = "e", past: [Content] = []
    ) -> Outcome {
        let stamp = RecordUnderTest.at(time)
        return sees(StampedContent(Content(fields: fields), FieldStamps(stamp)), stamp, etag: etag, past: past)
    }

    /// Reads what an app wrote.
    mutating func seesApp(
        _ named: [String: JSONValue], sent: [StampedContent] = [], isComplete: Bool = true
    ) -> Outcome {
        let defaults = rules.defaults.filter { named[$0.key] == nil }
        let body = ForeignBody(named: named, defaults: defaults, isComplete: isComplete)
        return state.read(.foreign(body), etag: "f", sent: sent, clock: &clock, context)
    }

    mutating func seesNothing(tombstone: UInt64? = nil, ended: ContentHash? = nil) -> Outcome {
        let found = tombstone.flatMap { admitted(RecordUnderTest.at($0), ended, "t") }
        return state.read(.absent, etag: "null_etag", tombstone: found, clock: &clock, context)
    }

    mutating func seesTombstone(_ stamp: Stamp?, ended: ContentHash? = nil, etag: String? = nil) -> Outcome {
        state.readTombstone(stamp.flatMap { admitted($0, ended, etag) }, clock: &clock, context)
    }

    private func admitted(_ stamp: Stamp, _ ended: ContentHash?, _ etag: String?) -> AdmittedTombstone? {
        try? gate.admit(KnownTombstone(stamp: stamp, contentHash: ended, etag: etag))
    }

    /// An edit made here: now, or with this time.
    mutating func edits(_ edit: Edit, at time: UInt64? = nil) -> Outcome {
        let policy = StampPolicy(wall: wall, offset: 0, maxAhead: 60_000)
        let stamp = time.map { RecordUnderTest.at($0, node: RecordUnderTest.me) } ?? policy.now(over: state, &clock)
        return state.edited(edit, at: stamp, rules, clock: &clock, wall: wall)
    }

    /// What it should be is written, and the remote says so.
    @discardableResult mutating func isWritten() -> StampedContent? {
        guard let sent = state.outgoing(rules), let stamp = state.stamp else { return nil }
        _ = state.acknowledged(sent, at: stamp, etag: "w", clock: &clock, context)
        return sent
    }

    var fields: [String: JSONValue]? { state.view?.fields }
    var title: String? { fields?["title"]?.text }
    var differs: Bool { state.differs(keepsTombstones: true) }

    /// The stamp of a field that is known.
    func stamp(of name: String) -> Stamp? {
        state.known.fields.map { $0.stamps.stamp(of: name, value: $0.content.fields[name], rules) }
    }

    func step(
        _ writeGuard: WriteGuard = .etag, run: Int64 = 1, keepsTombstones: Bool = true, isWatching: Bool = true,
        watchesApps: Bool = true
    ) -> PushStep {
        state.step(
            PushContext(
                node: RecordUnderTest.me, run: run, writeGuard: writeGuard, keepsTombstones: keepsTombstones,
                isWatching: isWatching, watchesApps: watchesApps))
    }
}
