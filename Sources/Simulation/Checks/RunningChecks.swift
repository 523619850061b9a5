internal import FirebaseWire
internal import JSONText
internal import SyncCore
internal import SyncModel

/// What is checked after every commit and at every request.
final class RunningChecks {
    /// How many requests a node may send within a minute in which nothing changes.
    static let mostRequests = 200
    static let window: UInt64 = 60_000

    private var clocks: [NodeID: Stamp] = [:]
    private var requests: [Int: [UInt64]] = [:]
    private(set) var total = 0
    /// How many of the requests were for the keys of both sides to be compared.
    var comparisons = 0
    /// The most a clock was ever off, in milliseconds.
    var greatestSkew: UInt64 = 0
    /// Versions of each record that stood in the remote.
    private(set) var versions: [RecordID: [StampedContent]] = [:]

    /// The highest tombstone of each record that was ended.
    var ended: [RecordID: Stamp] = [:]
    /// Of records that stand there in an older version since the database was set back: what a node knew of them.
    var known: [RecordID: Stamp] = [:]

    /// Nodes whose own clock was off by more than may go unnoticed.
    var wrongClocks: Set<Int> = []

    struct Broken {
        var promise: Violation.Promise
        var what: String
    }

    func broken(by after: NodeGlimpse, before: NodeGlimpse, of node: Int, hasTwins: Bool) -> [Broken] {
        var broken: [Broken] = []
        if !hasTwins {
            if let last = clocks[after.node], after.clock < last {
                broken.append(
                    Broken(promise: .stamps, what: "its clock went back from \(last.brief) to \(after.clock.brief)"))
            }
            clocks[after.node] = after.clock
        }
        let stamps = after.quarantined.filter { $0.source == .journal }.compactMap { item in
            item.stamp.map { "\(item.record ?? "") \($0)" }
        }
        if Set(stamps).count < stamps.count {
            broken.append(Broken(promise: .stamps, what: "two operations that wait have one stamp"))
        }
        if let recount = after.recount, recount != after.counts {
            broken.append(Broken(promise: .counters, what: "counts \(after.counts), has \(recount)"))
        }
        for change in after.changes where change.origin == .remote {
            if isBraked(change.key.id, before), isBraked(change.key.id, after) {
                broken.append(Broken(promise: .holds, what: "\(change.key.id.short) changed while a hold named it"))
            }
        }
        return broken
    }

    private func isBraked(_ id: RecordID, _ glimpse: NodeGlimpse) -> Bool {
        let kinds: Set<HoldKind> = [.massDelete, .emptyRemote, .rootIsOneRecord, .massForeignChange]
        let holds = Set(
            glimpse.holds.filter { $0.direction == .pull && ($0.kind.map(kinds.contains) ?? false) }.map(\.number))
        return glimpse.held.contains { $0.key.id == id && holds.contains($0.hold) }
    }

    // MARK: Holds that nothing calls for

    private var deletes: [Int: [UInt64]] = [:]

    /// A node applies a delete of its journal.
    func noteDelete(by node: Int, at now: UInt64) { deletes[node, default: []].append(now) }

    /// A hold for deletes of the journal that were few, by the true time.
    func needlessHold(_ after: NodeGlimpse, _ before: NodeGlimpse, of node: Int, at now: UInt64) -> String? {
        let known = Set(before.holds.map(\.number))
        let isNew = after.holds.contains {
            $0.kind == .massDelete && $0.direction == .journal && !known.contains($0.number)
        }
        guard isNew else { return nil }
        let count = deletes[node, default: []].count { $0 + DeleteLimit.window + 1000 > now }
        return count <= 5 ? "\(count) deletes within a minute are held" : nil
    }

    // MARK: Storms

    /// Something has changed: what is asked for now is not for nothing.
    func noteProgress() { requests = [:] }

    /// Counts a request; what is wrong where it is one too many.
    func counts(requestOf node: Int, at now: UInt64) -> String? {
        total += 1
        requests[node, default: []].append(now)
        guard let first = requests[node]?.first, requests[node, default: []].count > RunningChecks.mostRequests else {
            return nil
        }
        requests[node]?.removeFirst()
        guard now - first < RunningChecks.window else { return nil }
        return
            "node\(node) has sent \(RunningChecks.mostRequests) requests within \(now - first) ms, and nothing changed"
    }

    // MARK: What nobody can read

    /// How often each record has changed in the remote.
    private var changes: [RecordID: Int] = [:]
    /// What each node has in quarantine of what the remote shows, and which change of it stood there then.
    private var setAside: [Int: [RecordID: Int]] = [:]

    /// A person takes something out of a node's quarantine.
    func forgetSetAside(of node: Int) { setAside[node] = [:] }

    /// What has left a node's quarantine though the remote shows it as before.
    func setAsideNoMore(_ after: NodeGlimpse, of node: Int) -> [RecordID] {
        let items = after.quarantined.filter { $0.source == .pull && !$0.isTombstone }
        let now = Set(items.compactMap { $0.record.flatMap { RecordID($0) } })
        let before = setAside[node] ?? [:]
        setAside[node] = Dictionary(uniqueKeysWithValues: now.map { ($0, before[$0] ?? changes[$0, default: 0]) })
        return before.filter { !now.contains($0.key) && changes[$0.key, default: 0] == $0.value }.map(\.key)
    }

    // MARK: Merging

    /// Keeps some versions, to be merged in another order at the end.
    func noteVersion(_ id: RecordID, _ body: [String: JSONValue]) {
        changes[id, default: 0] += 1
        let entry = EntrySpelling.entry(id.description, .object(body), in: .records(SimulatedFilms.id))
        guard case .record(var fields, let stamps?) = entry.value else { return }
        fields["identifier"] = nil
        let content = StampedContent(Content(fields: fields), stamps.fields ?? FieldStamps(stamps.version))
        if versions[id, default: []].count == 6 { versions[id]?.removeFirst() }
        versions[id, default: []].append(content)
    }
}
