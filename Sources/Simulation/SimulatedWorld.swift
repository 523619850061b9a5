internal import DatabaseTree
internal import FirebaseWire
internal import JSONText
internal import SyncCore
internal import SyncModel

/// A whole run: nodes, apps, the database, and the time they share.
final class SimulatedWorld {
    /// More than this is no run but a storm.
    private var mostActions: Int { max(15_000, 100 * settings.steps) }
    /// 2027-01-15
    static let start: UInt64 = 1_800_000_000_000

    let settings: SimulationSettings
    let timeline = Timeline(startingAt: SimulatedWorld.start)
    let database: SimulatedDatabase
    let history = EditHistory()
    let rules: CollectionRules
    let records: SimulatedRecords
    private(set) var nodes: [SimulatedNode] = []
    private(set) var apps: [ForeignApp] = []
    var random: SimulatedRandom
    private(set) var violations: [Violation] = []
    /// What happened, for people; nil where nobody wants to know.
    private(set) var trace: [String]?
    private var lastNode: UInt64 = 0
    let checks = RunningChecks()
    /// Nodes that share one id with another one.
    var hasTwins = false
    /// What the database may go back to.
    var databaseCopy: Root?
    /// The database went back: who had written what nobody else has read has lost it.
    var wasSetBack = false

    init(_ settings: SimulationSettings, tracing: Bool) throws {
        self.settings = settings
        trace = tracing ? [] : nil
        rules = SimulatedFilms.rules(settings)
        database = try SimulatedDatabase(rules: settings.rules, recordDepth: rules.key.depth)
        random = SimulatedRandom(settings.seed, part: 2)
        records = SimulatedRecords(seed: settings.seed, areKeyed: settings.areKeyed)
        database.committed = { [unowned self] writer, before, after in
            noteRemote(writer, before: before, after: after)
        }
        for index in 0..<settings.nodes {
            let network = SimulatedNetwork(
                timeline, database, .node(index), Weather(SimulatedRandom(settings.seed, part: 100 + index)))
            network.mutation = settings.mutation
            let node = try SimulatedNode(
                index, self, network, SimulatedRandom(settings.seed, part: 200 + index))
            // A clock that is off need not have been right when the daemon started.
            if settings.faults.contains(.clockOff), settings.seed % 3 == 0 {
                node.skew = [45_000, -45_000, 20_000][index % 3]
                checks.greatestSkew = 45_000
            }
            nodes.append(node)
        }
        // Where only changes are pulled, nobody sees what apps write.
        apps = (0..<(settings.pull == .full ? settings.apps : 0)).map {
            ForeignApp($0, rules, records, database, history, SimulatedRandom(settings.seed, part: 300 + $0))
        }
    }

    var ids: [RecordID] { records.ids }

    var keyspaces: [Keyspace] {
        settings.keepsTombstones ? [.records(rules.id), .tombstones(rules.id)] : [.records(rules.id)]
    }

    /// How many lines of a journal are applied in one transaction.
    var batchSize: Int { 1 + Int(settings.seed % 4) }

    /// The time since the start of the run.
    var elapsed: UInt64 { timeline.now - SimulatedWorld.start }

    func newNodeID() -> NodeID {
        lastNode += 1
        return NodeID(lastNode)
    }

    func tell(_ words: @autoclosure () -> String) {
        guard trace != nil else { return }
        let words = words()
        trace?.append("\(elapsed) \(words)")
    }

    func report(_ promise: Violation.Promise, _ what: String) {
        tell("BROKEN \(promise.rawValue): \(what)")
        violations.append(Violation(promise: promise, what: what, at: elapsed))
    }

    /// Whether the run may go on: no promise is broken yet, and there is an end to what happens.
    var isSound: Bool {
        if violations.isEmpty, timeline.actions > mostActions {
            report(.storm, "\(timeline.actions) things have happened, and it goes on")
        }
        return violations.isEmpty
    }

    // MARK: The run

    /// Lives through the steps, then lets everything come to rest and looks at what has become of it.
    func run(_ steps: [SimulatedStep]) {
        for node in nodes { node.start() }
        for step in steps where isSound {
            timeline.run(until: timeline.now + step.wait, while: { isSound })
            guard isSound else { return }
            tell("--- \(step.description)")
            perform(step)
        }
        if isSound { rest() }
        if isSound { checkAll() }
    }

    /// Switches everything off, so that nothing of the run stays in memory.
    func end() {
        trace = nil
        for node in nodes { node.crash(restartAfter: nil) }
        timeline.end()
    }

    // MARK: What the nodes tell

    func committed(_ node: SimulatedNode, before: NodeGlimpse) {
        let after = node.glimpse
        history.noted(node.index, after, now: timeline.now, isUnseen: isUnseen)
        for change in after.changes {
            tell(
                "node\(node.index) \(change.origin.rawValue): \(change.kind.rawValue) \(change.key.id.short) "
                    + "\(change.version.stamp.brief) \(change.version.content.map { String(decoding: $0.text, as: UTF8.self) } ?? "")"
            )
        }
        if !node.journal.isLineStart(after.position) {
            report(.positions, "node\(node.index) stands at \(after.position), where no line begins")
        }
        let isAhead = after.clock.physical > timeline.now + 120_000
        if isAhead, !hasTwins, !checks.wrongClocks.contains(node.index) {
            report(.stamps, "the clock of node\(node.index) was taken to \(after.clock.brief)")
        }
        if settings.faults.isEmpty, let hold = checks.needlessHold(after, before, of: node.index, at: timeline.now) {
            report(.holds, "node\(node.index): \(hold)")
        }
        if settings.faults.isEmpty { checkSetAsideNoMore(after, of: node) }
        for violation in checks.broken(by: after, before: before, of: node.index, hasTwins: hasTwins) {
            report(violation.promise, "node\(node.index): \(violation.what)")
        }
    }

    func sends(_ call: RemoteCall, _ node: SimulatedNode) {
        tell("node\(node.index) asks \(call.brief)")
        for (key, keyspace) in call.written {
            guard case .records = keyspace, let id = rules.recordID(of: key) else { continue }
            history.unanswered[id, default: []].insert(node.index)
            // The removal of a second key is no push: what it said is kept, and waits with the record.
            if node.glimpse.isHeld(id), key == records.key(of: id) {
                report(.holds, "node\(node.index) writes \(id.short), which a hold names")
            }
        }
        if let key = call.put.first(where: { rules.recordID(of: $0) == nil }) {
            report(.convergence, "node\(node.index) puts a record under \(key), which is no key of one")
        }
        // Once a day a node says that it is there, also where nothing happens.
        if case .announce = call { return }
        // So are the keys of both sides compared where only changes are pulled.
        if case .keys = call { checks.comparisons += 1 }
        if let storm = checks.counts(requestOf: node.index, at: timeline.now) { report(.storm, storm) }
    }

    func answered(_ call: RemoteCall, _ answer: SimulatedNetwork.Answer, _ node: SimulatedNode) {
        tell("node\(node.index) hears \(answer.brief) of \(call.brief)")
        guard case .success = answer else { return }
        for (key, keyspace) in call.written {
            if let id = rules.recordID(of: key, in: keyspace) { history.unanswered[id]?.remove(node.index) }
        }
        if case .read(let key, .records) = call, let id = rules.recordID(of: key) {
            history.unanswered[id]?.remove(node.index)
        }
    }

    func listens(_ node: SimulatedNode) {
        if let storm = checks.counts(requestOf: node.index, at: timeline.now) { report(.storm, storm) }
    }

    func noted(_ note: CollectionMachine.Note, by node: SimulatedNode) {
        switch note {
        case .unconfirmed, .ingested, .succeeded, .writeFailed: break
        default: tell("node\(node.index) notes \(note)")
        }
    }
}

extension Stamp {
    /// For people: milliseconds since the start of the run, counter, node.
    var brief: String { "\(Int64(physical) - Int64(SimulatedWorld.start)).\(counter).\(node.value)" }
}

extension RemoteCall {
    var brief: String {
        switch self {
        case .read(let key, let keyspace): "read \(keyspace.brief)/\(key.prefix(8))"
        case .readRange(let first, _, _, let keyspace): "page \(keyspace.brief) from \(first?.prefix(8) ?? "-")"
        case .keys(let keyspace): "keys \(keyspace.brief)"
        case .write(let write, let keyspace, let condition):
            "put \(keyspace.brief)/\(write.key.prefix(8)) \(write.stamp.brief) if \(condition.brief)"
        case .remove(let key, let keyspace, let etag): "remove \(keyspace.brief)/\(key.prefix(8)) if \(etag.prefix(6))"
        case .writeBatch(let elements):
            "batch "
                + elements.map { "\($0.keyspace.brief)/\($0.key.prefix(8)) \($0.write?.stamp.brief ?? "null")" }
                .joined(separator: ", ")
        case .peers: "nodes"
        case .announce(let peer): "announce \(peer.applied)"
        case .horizon: "horizon"
        case .raiseHorizon(_, let stamp, let etag): "raise horizon to \(stamp.brief) if \(etag.prefix(6))"
        }
    }
}

extension WriteCondition {
    fileprivate var brief: String { if case .matches(let etag) = self { String(etag.prefix(6)) } else { "absent" } }
}

extension Keyspace {
    var brief: String { if case .records = self { "r" } else { "t" } }
}

extension SimulatedNetwork.Answer {
    fileprivate var brief: String {
        switch self {
        case .failure(let error): "\(error.code) \(error.message)"
        case .success(.entry(let entry)): "\(entry.value.brief)"
        case .success(.outcome(.conflict(let entry))): "conflict \(entry.value.brief)"
        case .success(.outcome(.written(let etag))): "written \(etag?.prefix(6) ?? "without ETag")"
        case .success(.page(let page)): "a page of \(page.entries.count)"
        case .success(.keys(let keys)): "\(keys.count) keys"
        case .success(.done): "done"
        case .success(.peers(let peers)): "\(peers.count) nodes"
        case .success(.horizon(let horizon)): "horizon \(horizon.stamp?.brief ?? "-")"
        case .success(.raised(let isRaised)): isRaised ? "raised" : "not raised"
        }
    }
}

extension RemoteValue {
    fileprivate var brief: String {
        switch self {
        case .absent: "nothing"
        case .record(let fields, let stamps):
            "\(stamps?.version.brief ?? "unstamped") "
                + String(decoding: JSONWriter.text(.object(fields)), as: UTF8.self)
        case .tombstone(let stamp, _): "tombstone \(stamp.brief)"
        case .unreadable(let defect): "unreadable: \(defect.message)"
        }
    }
}
