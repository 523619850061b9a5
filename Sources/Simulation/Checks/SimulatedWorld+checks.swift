internal import DatabaseTree
internal import FirebaseWire
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What must be so when a run is over (`docs/protocol.md` section 12).
extension SimulatedWorld {
    func checkAll() {
        checkEquality()
        guard isSound else { return }
        checkCounters()
        checkMergeOrder()
        checkNumbers()
        checkTombstones()
        checkIdle()
        checkSetBack()
        // Two nodes with one id can't tell their edits apart.
        guard isSound, !hasTwins, !wasSetBack else { return }
        for verdict in EditVerdicts(self).broken { report(verdict.promise, verdict.what) }
    }

    // MARK: Equality

    /// What a reader of the remote sees of each record.
    var remoteView: [RecordID: [String: JSONValue]] {
        var view: [RecordID: [String: JSONValue]] = [:]
        for entry in database.entries(in: .records(rules.id)) {
            guard let id = rules.recordID(of: entry.key), case .record(var fields, let stamps) = entry.value else {
                continue
            }
            if view[id] != nil { report(.convergence, "\(id.short) stands in the remote twice") }
            if stamps == nil { fields = (try? rules.normalized(fields)) ?? fields }
            fields["identifier"] = nil
            view[id] = whole(fields, under: entry.key)
        }
        return view
    }

    /// The fields of a record with those that its key is made of.
    private func whole(_ fields: [String: JSONValue], under key: String) -> [String: JSONValue] {
        Content(fields: fields.merging(rules.key.fields(of: key) ?? [:]) { _, part in part }).fields
    }

    /// Whether the remote holds what an app wrote there since the node looked.
    func isUnseen(_ state: RecordState) -> Bool {
        records.keys(of: state.key.id).contains { key in
            guard case .record(let fields, let stamps) = database.entry(key, in: .records(rules.id)).value,
                stamps == nil || history.areLastByApp.contains(state.key.id)
            else { return false }
            guard let content = try? rules.normalized(fields) else { return true }
            return whole(content, under: key) != state.remote?.content.fields
        }
    }

    /// What a node takes for readable now can be read.
    func checkSetAsideNoMore(_ after: NodeGlimpse, of node: SimulatedNode) {
        for id in checks.setAsideNoMore(after, of: node.index) {
            let path = SimulatedDatabase.path(of: records.key(of: id), in: .records(rules.id))
            if let body = database.value(at: path).members, !SimulatedFilms.isReadable(body) {
                report(.edits, "node\(node.index) takes \(id.short) for readable, which nobody can read")
            }
        }
    }

    func checkEquality() {
        let remote = remoteView
        for node in nodes {
            guard let mine = node.view() else { return report(.crashed, "node\(node.index) is down") }
            for id in ids where mine[id] != remote[id] {
                report(
                    .convergence,
                    "node\(node.index) has \(text(mine[id])) of \(id.short), the remote \(text(remote[id]))")
            }
            if mine != history.views[node.index]?.filter({ !$0.value.isEmpty }) ?? [:] {
                report(.convergence, "the change feed of node\(node.index) does not lead to what it holds")
            }
        }
    }

    private func text(_ fields: [String: JSONValue]?) -> String {
        fields.map { String(decoding: JSONWriter.text(.object($0)), as: UTF8.self) } ?? "nothing"
    }

    // MARK: The others

    private func checkCounters() {
        for node in nodes {
            guard let (counts, recount) = node.recounted(), counts != recount else { continue }
            report(.counters, "node\(node.index) counts \(counts), has \(recount)")
        }
    }

    private func checkMergeOrder() {
        // In an order of their own: what is picked is the run's.
        for (id, versions) in checks.versions.sorted(by: { $0.key < $1.key }) where !versions.isEmpty {
            func merged(_ versions: [StampedContent]) -> StampedContent {
                versions.dropFirst().reduce(versions[0]) {
                    settings.mutation == .mergeByArrival ? $1 : .merged($0, $1, rules.merge)
                }
            }
            let inOrder = merged(versions)
            for _ in 0..<3 {
                let other = merged((versions + [random.pick(versions)]).shuffled(using: &random))
                if other != inOrder { report(.mergeOrder, "\(id.short) depends on the order of merging") }
            }
        }
    }

    private func checkNumbers() {
        guard !settings.mergesByRecord else { return }
        let removed = Set(history.removals.filter { $0.field == nil }.map(\.id))
        for (node, id) in history.fallen where !removed.contains(id) {
            report(.mergeOrder, "\(SimulatedFilms.highest) of \(id.short) fell on node\(node)")
        }
    }

    private func checkTombstones() {
        for entry in database.entries(in: .tombstones(rules.id)) {
            guard let id = RecordID(entry.key), case .tombstone(let deletion, _) = entry.value else { continue }
            let record = database.entry(records.key(of: id), in: .records(rules.id))
            guard case .record(_, let stamps?) = record.value else { continue }
            let newest = stamps.fields?.newest ?? stamps.version
            if newest <= deletion {
                report(.tombstones, "\(id.short) is there with \(newest.brief), deleted with \(deletion.brief)")
            }
        }
    }
}

extension SimulatedNode {
    /// What a reader on this node sees.
    func view() -> [RecordID: [String: JSONValue]]? {
        let records = try? store?.writeNow { try $0.page(of: SimulatedFilms.id, after: nil, limit: 1000) }.result
        return records.map { records in
            Dictionary(
                uniqueKeysWithValues: records.compactMap { record in
                    record.state.view.map { (record.state.key.id, $0.fields) }
                })
        }
    }

    func recounted() -> (CollectionCounts, CollectionCounts)? {
        try? store?.writeNow { (try $0.counts(of: SimulatedFilms.id), try $0.recount(SimulatedFilms.id)) }.result
    }

    /// The stamp of what this node holds of a record.
    func stamp(of key: RecordKey) -> Stamp? {
        try? store?.writeNow { try $0.record(key).state.stamp }.result
    }

    /// Whether it knows the tombstone with this stamp.
    func hasApplied(_ tombstone: Stamp, of key: RecordKey) -> Bool {
        let known = try? store?.writeNow { try $0.record(key).state.tombstone?.stamp }.result
        return known == tombstone
    }

    /// What lost in a conflict that this node decided.
    func losers() -> [Content] {
        let entries = try? store?.writeNow { try $0.conflicts(before: 0, limit: 10_000) }.result
        return (entries ?? []).compactMap(\.loser.content)
    }
}
