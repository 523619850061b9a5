import JSONText
import LocalStore
import Movies
import PluginKit
import SyncCore
import SyncModel

/// A machine with a real state in memory and a remote, driven by hand: what it asks for is answered when a test says so.
final class MachineUnderTest {
    static let start: UInt64 = 1_790_000_000_000
    static let records = Keyspace.records("movies")
    static let tombstones = Keyspace.tombstones("movies")
    static let me = NodeID(1)
    static let other = NodeID(2)

    private let state: StateInMemory
    private(set) var store: LocalStore
    private(set) var machine: CollectionMachine
    private var journal = JournalMachine()
    let rules: CollectionRules
    private(set) var settings: MachineSettings
    var server = ServerUnderTest()
    var monotonic: UInt64 = 1000
    var wall = MachineUnderTest.start
    var serverIsKnown = true
    /// The server's time minus this machine's, milliseconds.
    var offset: Int64 = 0
    var random = 0.5
    /// Where the lines of the journal stood.
    var origin = StampPolicy.Origin.live
    var keep: UInt64 = 90 * 86_400_000
    /// What is asked beside the records (nodes, horizon) is answered at once.
    var answersBeside = true

    /// Requests that are not answered yet, in the order they were sent.
    private(set) var open: [CollectionMachine.Request] = []
    /// Everything that was ever asked for.
    private(set) var calls: [RemoteCall] = []
    /// What was asked for beside the records, and answered at once.
    private(set) var callsBeside: [RemoteCall] = []
    private(set) var streams: [Keyspace: (number: Int, after: UInt64?)] = [:]
    private(set) var notes: [CollectionMachine.Note] = []

    init(
        pull: PullMode = .full, writeGuard: WriteGuard = .etag, keepsTombstones: Bool = true,
        merging fields: [String: FieldRule] = [:], byRecord: Bool = false, mostUnechoed: Int = 4500,
        key: KeyTemplate = .uuid
    ) throws {
        let movies = Movies()
        rules = CollectionRules(
            id: movies.id, key: key, merge: MergeRules(defaults: movies.defaults, fields: fields, byRecord: byRecord),
            titleField: movies.titleField,
            identityFields: { movies.identityFields($0) },
            validated: { fields throws(Defect) in try movies.validated(fields) },
            normalized: { fields throws(Defect) in try movies.normalized(fields) })
        settings = MachineSettings(
            pull: pull, writeGuard: writeGuard, keepsTombstones: keepsTombstones, mostUnechoed: mostUnechoed)
        state = try StateInMemory()
        store = try LocalStore(state, identity: "here", newNode: MachineUnderTest.me)
        machine = CollectionMachine(rules, settings)
        server.time = wall
    }

    /// The daemon dies and starts again: only what was committed is left.
    ///
    /// - Parameter place: where the collection is kept from then on; nil where that is as it was.
    func restart(at place: String? = nil) throws {
        if let place { settings.place = place }
        store = try LocalStore(state, identity: "here", newNode: MachineUnderTest.me)
        machine = CollectionMachine(rules, settings)
        journal = JournalMachine()
        (open, streams) = ([], [:])
    }

    // MARK: Inputs

    var policy: StampPolicy {
        var policy = StampPolicy(wall: wall, offset: offset, maxAhead: 60_000)
        policy.serverIsKnown = serverIsKnown
        return policy
    }

    var applier: OperationApplier {
        OperationApplier(time: policy, keepsTombstones: settings.keepsTombstones) { [rules] in
            $0 == rules.id ? rules : nil
        }
    }

    func take(_ input: CollectionMachine.Input) throws {
        let time = MachineTime(
            monotonic: monotonic, policy: policy, serverIsKnown: serverIsKnown, random: random,
            keep: keep)
        let effects = try store.writeNow { try machine.handle(input, in: $0, at: time) }.result
        var beside: [CollectionMachine.Request] = []
        for effect in effects {
            switch effect {
            case .send(let request) where answersBeside && request.call.isBeside:
                beside.append(request)
                callsBeside.append(request.call)
            case .send(let request):
                open.append(request)
                calls.append(request.call)
            case .listen(let keyspace, let stream, let after): streams[keyspace] = (stream, after)
            case .close(let keyspace): streams[keyspace] = nil
            case .wake: break
            case .note(let note): notes.append(note)
            }
        }
        for request in beside { try take(.answered(request: request.number, server.answer(request.call))) }
    }

    /// Time passes.
    func pass(_ milliseconds: UInt64) throws {
        monotonic += milliseconds
        wall += milliseconds
        server.time = wall
        try take(.time)
    }

    /// Lines of the journal, applied as one batch.
    @discardableResult func edit(_ lines: String...) throws -> [QuarantinedItem] { try edit(lines) }

    /// - Parameter changing: what checks do to each line.
    @discardableResult func edit(
        _ lines: [String], changing: (inout JournalMachine.Line) -> Void = { _ in }
    ) throws -> [QuarantinedItem] {
        let keys = applier.keys
        var read = lines.enumerated().map { index, line in
            JournalMachine.Line(
                text: Array(line.utf8)[...], offset: UInt64(index), length: line.utf8.count,
                operation: Result { () throws(Defect) in try Operation(line: Array(line.utf8)[...], keys: keys) })
        }
        for index in read.indices { changing(&read[index]) }
        let done = try store.writeNow {
            try journal.apply(read, from: "/j", origin, monotonic: monotonic, in: $0, applier)
        }
        // As the engine does: it tells of nothing that can't be pushed now.
        if !done.effects.toPush.isEmpty || done.effects.holdsChanged {
            try take(.edited(done.effects.toPush.map(\.id)))
        }
        if done.effects.quarantinedFromJournal > 0 { try take(.setAside) }
        return done.result
    }

    /// A person decides a hold.
    func decide(_ kind: HoldKind, approved: Bool) throws {
        let (ids, effect) = try store.writeNow { book in
            guard let hold = try book.holds().first(where: { $0.kind == kind }) else { throw Missing() }
            let ids = try book.held(by: hold.number).map(\.key.id)
            return (ids, try HoldDecision.decide(hold, kind.rule, approved: approved, in: book, applier))
        }.result
        switch effect {
        case .readAgain(let keys): try take(.readAgain(keys.map(\.id)))
        case .absenceApproved: try take(.absenceApproved)
        case .none, .journal, .signOut, .tryAgain: break
        }
        try take(.edited(ids))
    }

    struct Missing: Error {}

    // MARK: Streams

    func events(_ events: [RemoteEvent], in keyspace: Keyspace = records) throws {
        guard let stream = streams[keyspace] else { throw Missing() }
        try take(.events(keyspace, stream: stream.number, events))
    }

    /// The stream shows its snapshot: what the remote holds now, in this order of keys.
    func snapshot(_ keyspace: Keyspace = records, order: [String]? = nil) throws {
        let keys = order ?? server.keys(keyspace)
        try events(
            [.snapshotBegan] + keys.map { .snapshotEntry(server.entry($0, in: keyspace)) }
                + [.snapshotEnded(entries: keys.count)], in: keyspace)
    }

    /// The stream is cut, and opened again after the wait.
    func reconnect(_ keyspace: Keyspace = records) throws {
        guard let stream = streams[keyspace] else { throw Missing() }
        try take(.streamEnded(keyspace, stream: stream.number, RemoteError(.streamEnded, "cut")))
        try pass(2000)
    }

    /// The stream tells what stands under a key now.
    func tell(_ id: RecordID, in keyspace: Keyspace = records) throws { try tell(id.description, in: keyspace) }

    func tell(_ key: String, in keyspace: Keyspace = records) throws {
        try events([.changed(server.entry(key, in: keyspace))], in: keyspace)
    }

    // MARK: Answers

    /// Answers the oldest request: as the remote does, or with an error.
    func answer(_ error: RemoteError? = nil) throws {
        guard !open.isEmpty else { throw Missing() }
        let request = open.removeFirst()
        try take(.answered(request: request.number, error.map { .failure($0) } ?? server.answer(request.call)))
    }

    /// Answers one of the open requests, by its place among them: as the remote does, or with an error.
    func answer(number place: Int, _ error: RemoteError? = nil) throws {
        let request = open.remove(at: place)
        try take(.answered(request: request.number, error.map { .failure($0) } ?? server.answer(request.call)))
    }

    /// Takes one of the open requests out, which a test answers itself.
    func take(open place: Int) -> CollectionMachine.Request { open.remove(at: place) }

    func answer(with answer: CollectionMachine.Answer) throws {
        guard !open.isEmpty else { throw Missing() }
        try take(.answered(request: open.removeFirst().number, .success(answer)))
    }

    /// Answers until nothing is asked for any more.
    func settle() throws {
        for _ in 0..<20_000 where !open.isEmpty { try answer() }
        if !open.isEmpty { throw Missing() }
    }

    // MARK: What there is

    static func id(_ number: UInt64) -> RecordID { RecordID(high: 0xABC0_0000_0000_4011, low: 0b10 << 62 | number) }
    static func key(_ number: UInt64) -> RecordKey { RecordKey("movies", id(number)) }
    static func stamp(_ before: UInt64, _ node: NodeID = other) -> Stamp {
        Stamp(physical: start - before, counter: 0, node: node)
    }

    static func create(_ number: UInt64, _ title: String) -> String {
        #"{"op":"create","id":"\#(id(number))","fields":{"title":"\#(title)"}}"#
    }

    static func update(_ number: UInt64, _ title: String) -> String {
        #"{"op":"update","id":"\#(id(number))","fields":{"title":"\#(title)"}}"#
    }

    static func delete(_ number: UInt64) -> String { #"{"op":"delete","id":"\#(id(number))"}"# }

    /// A film as another node wrote it, or as an app did.
    static func film(_ number: UInt64, _ title: String, _ stamp: Stamp? = nil) -> RemoteValue {
        .record(
            fields: ["identifier": .string(id(number).description), "title": .string(title), "hasWatched": false],
            stamps: stamp.map { RemoteStamps($0) })
    }

    func put(_ number: UInt64, _ value: RemoteValue) { server.put(MachineUnderTest.id(number).description, value) }

    /// Puts films of another node into the remote.
    func fill(_ count: UInt64) {
        for number in 0..<count {
            put(number, MachineUnderTest.film(number, "F\(number)", MachineUnderTest.stamp(50_000)))
        }
    }

    func read<Result>(_ body: (Transaction) throws -> Result) throws -> Result { try store.writeNow(body).result }

    func record(_ number: UInt64) throws -> StoredRecord { try read { try $0.record(MachineUnderTest.key(number)) } }
    func title(_ number: UInt64) throws -> String? { try record(number).state.view?.fields["title"]?.text }
    func titleThere(_ number: UInt64) -> String? { titleThere(MachineUnderTest.id(number).description) }

    func titleThere(_ key: String) -> String? {
        guard case .record(let fields, _) = server.entry(key).value else { return nil }
        return fields["title"]?.text
    }

    func holds() throws -> [HoldKind] { try read { try $0.holds().compactMap(\.kind) } }
    func quarantine() throws -> [Defect.Code] {
        try read { try $0.quarantined(after: 0, limit: 99).map(\.defect.code) }
    }
    func counts() throws -> CollectionCounts { try read { try $0.counts(of: "movies") } }
    func clock() throws -> Stamp { try read { $0.clock.last } }
}

extension RemoteCall {
    var isWrite: Bool {
        switch self {
        case .write, .remove, .writeBatch: true
        default: false
        }
    }

    var isBeside: Bool {
        switch self {
        case .peers, .announce, .horizon, .raiseHorizon: true
        default: false
        }
    }

    var isBatch: Bool { if case .writeBatch = self { true } else { false } }
}
