import JSONText
import SyncCore
import SyncModel
import TestSupport

/// Nodes, one remote, perhaps an app without stamps, and everything that can go wrong between them.
struct SimulatedWorld {
    struct Scenario: Hashable {
        var seed: UInt64
        var app: Bool
        /// Faults besides late events: crashes, cut streams, lost requests and answers, clock steps.
        var faults = true
    }

    let scenario: Scenario
    private var random: SeededRandom
    private(set) var nodes: [SimulatedNode] = []
    private(set) var remote = FakeRemote()
    /// Requests that their sender has given up, and that the remote may still carry out.
    private var strays: [Request] = []
    private var now: UInt64 = 1_790_000_000_000
    private var titles = 0
    private var appCopy: [String: JSONValue]?
    let keepsTombstones: Bool
    /// The id is derived from something, so that several may make the record; a random one only node 1 can make.
    let madeAnywhere: Bool
    private(set) var log: [String] = []

    init(_ scenario: Scenario) {
        self.scenario = scenario
        random = SeededRandom(scenario.seed)
        keepsTombstones = !random.chance(15)
        madeAnywhere = random.chance(50)
        let key = RecordKey("movies", RecordID(high: madeAnywhere ? 0x5011 : 0x4011, low: 0b10 << 62))
        let count = 2 + random.below(2)
        for number in 1...count {
            let skew = Int64(random.below(40_000)) - 20_000
            nodes.append(
                SimulatedNode(UInt64(number), key, skew: skew, keepsTombstones: keepsTombstones))
        }
    }

    private mutating func say(_ line: (SimulatedWorld) -> String) {
        if SimulatedWorld.tells { log.append(line(self)) }
    }

    /// Whether runs keep a story: for looking at one seed.
    @TaskLocal static var tells = false

    // MARK: Running

    /// Lets everybody do anything, in any order.
    mutating func storm(steps: Int, edits: Bool) {
        for _ in 0..<steps {
            if random.chance(60) { now += UInt64(random.below(30)) }
            let node = random.below(nodes.count)
            switch random.below(100) {
            case 0..<8: if edits { edit(node) }
            case 8..<14: if edits, scenario.app { appActs() }
            case 14..<22: if scenario.faults { fail(node) }
            case 22..<25: carryOutStray()
            default: advance(node)
            }
        }
    }

    /// Stops all faults and lets everything come to rest; false where it never does.
    mutating func calm() -> Bool {
        while !strays.isEmpty { carryOutStray() }
        for _ in 0..<400 {
            var moved = false
            for index in nodes.indices where advanceCalmly(index) { moved = true }
            if !moved { return true }
            now += 1
        }
        return false
    }

    /// One possible thing of one node; nothing where that is not possible now.
    private mutating func advance(_ index: Int) {
        switch random.below(6) {
        case 0: deliver(index, \.records)
        case 1: deliver(index, \.tombstones)
        case 2: connect(index)
        case 3: nodes[index].begin()
        case 4: carryOut(index)
        default: answer(index)
        }
    }

    private mutating func advanceCalmly(_ index: Int) -> Bool {
        let busy =
            nodes[index].job != nil || nodes[index].hasWork || !nodes[index].records.queue.isEmpty
            || !nodes[index].tombstones.queue.isEmpty || !nodes[index].records.open
            || (keepsTombstones && !nodes[index].tombstones.open)
        guard busy else { return false }
        connect(index)
        deliver(index, \.records)
        deliver(index, \.tombstones)
        nodes[index].begin()
        carryOut(index)
        answer(index)
        return true
    }

    // MARK: Streams

    private mutating func connect(_ index: Int) {
        if !nodes[index].records.open {
            nodes[index].records = .init(open: true, queue: [.init(sighting: .record(remote.node), snapshot: true)])
        } else if keepsTombstones, !nodes[index].tombstones.open {
            nodes[index].tombstones = .init(
                open: true, queue: [.init(sighting: .tombstone(remote.tombstone), snapshot: true)])
        }
    }

    private mutating func deliver(_ index: Int, _ stream: WritableKeyPath<SimulatedNode, SimulatedNode.Stream>) {
        guard let event = nodes[index][keyPath: stream].queue.first else { return }
        if !(scenario.faults && random.chance(4)) { nodes[index][keyPath: stream].queue.removeFirst() }
        say { _ in "\(index) sees \(event)" }
        nodes[index].take(event, now: now)
        say { $0.nodes[index].story }
    }

    /// Tells every open stream what changed.
    private mutating func tell(since before: FakeRemote) {
        for index in nodes.indices {
            if remote.node != before.node, nodes[index].records.open {
                nodes[index].records.queue.append(.init(sighting: .record(remote.node)))
            }
            if remote.tombstone != before.tombstone, nodes[index].tombstones.open {
                nodes[index].tombstones.queue.append(.init(sighting: .tombstone(remote.tombstone)))
            }
        }
    }

    // MARK: Requests

    private mutating func carryOut(_ index: Int) {
        guard let job = nodes[index].job, job.answer == nil else { return }
        let before = remote
        nodes[index].carriedOut(remote.perform(job.request, time: now))
        say { _ in "\(index) asks \(job.request)" }
        tell(since: before)
    }

    private mutating func answer(_ index: Int) {
        guard nodes[index].job?.answer != nil else { return }
        nodes[index].answered(now: now)
        say { $0.nodes[index].story }
    }

    private mutating func carryOutStray() {
        guard !strays.isEmpty else { return }
        let before = remote
        let request = strays.remove(at: random.below(strays.count))
        _ = remote.perform(request, time: now)
        say { _ in "late: \(request)" }
        tell(since: before)
    }

    // MARK: Faults

    private mutating func fail(_ index: Int) {
        switch random.below(10) {
        case 0, 1:
            stray(index)
            nodes[index].restart()
            say { _ in "\(index) crashes" }
        case 2: nodes[index].records = .init()
        case 3: nodes[index].tombstones = .init()
        case 4: nodes[index].skew = Int64(random.below(40_000)) - 20_000
        default:
            guard nodes[index].job != nil else { return }
            stray(index)
            say { "\(index) loses \(String(describing: $0.nodes[index].job))" }
            nodes[index].failed(now: now)
            say { $0.nodes[index].story }
        }
    }

    /// The request may still be on its way. Not so the first attempt of an id that several may make: into a collection
    /// that was empty it is not conditional, and one that comes very late can undo what another node did since.
    private mutating func stray(_ index: Int) {
        guard let job = nodes[index].job, job.answer == nil, random.chance(40) else { return }
        if case .write(_, nil) = job.request, madeAnywhere { return }
        strays.append(job.request)
    }

    // MARK: People

    private mutating func edit(_ index: Int) {
        titles += 1
        guard madeAnywhere || index == 0 || nodes[index].state.local != nil else { return }
        let old = nodes[index].state.local?.content?.fields
        var fields = old ?? [:]
        fields["title"] = .string("node \(titles)")
        fields["hasWatched"] = .bool(random.chance(50))
        if random.chance(30) { fields["note"] = .integer(Int64(titles)) }
        let at = random.chance(10) ? now - 70_000 - UInt64(random.below(60_000)) : nil
        nodes[index].edit(old != nil && random.chance(35) ? nil : fields, at: at, now: now)
        say { "\(index) edits: \($0.nodes[index].story)" }
    }

    private mutating func appActs() {
        if random.chance(60) { appCopy = remote.node?.fields.filter { ["title", "hasWatched"].contains($0.key) } }
        let before = remote
        titles += 1
        switch random.below(10) {
        case 0..<4 where madeAnywhere || nodes[0].state.local != nil:
            let fields: [String: JSONValue] = [
                "title": .string("app \(titles)"), "hasWatched": .bool(random.chance(50)),
            ]
            remote.appWrites(fields)
            appCopy = fields
        case 4: if remote.node != nil { remote.appPatches(["title": .string("patch \(titles)")]) }
        case 5: if let appCopy { remote.appWrites(appCopy) }
        default: if remote.node != nil { remote.appWrites(nil) }
        }
        say { "app: \(String(describing: $0.remote.node?.fields))" }
        tell(since: before)
    }

    /// The app deletes the record and does nothing more.
    mutating func appDeletes() {
        let before = remote
        remote.appWrites(nil)
        say { _ in "app deletes" }
        tell(since: before)
    }

    /// A person deletes the record on one node and does nothing more.
    mutating func nodeDeletes() {
        nodes[0].edit(nil, at: nil, now: now)
        say { _ in "0 deletes" }
    }

    /// Every stream is cut, and shows everything once more.
    mutating func cutAllStreams() {
        for index in nodes.indices {
            nodes[index].records = .init()
            nodes[index].tombstones = .init()
        }
    }
}

extension SimulatedNode {
    var story: String {
        let base = state.remote.map { "\(short($0.stamp)) last \(short($0.lastStamp)) \(short($0.content))" } ?? "-"
        return "  \(clock.node.value): local \(short(state.local)) base \(base) tombstone "
            + "\(short(state.tombstone?.stamp)) provisional \(state.provisional) over \(state.overProvisional) "
            + "kept \(short(state.shadowedEdit)) hint \(hint) own \(short(state.ownStamp)) observed \(short(state.foreignStamp))"
    }

    private func short(_ stamp: Stamp?) -> String {
        stamp.map { "\($0.physical % 1_000_000).\($0.counter).\($0.node.value)" } ?? "-"
    }
    private func short(_ content: Content?) -> String {
        content.map { String(decoding: $0.text, as: UTF8.self) } ?? "nothing"
    }
    private func short(_ version: Version?) -> String {
        version.map { "\(short($0.stamp)) \(short($0.content))" } ?? "-"
    }
}
