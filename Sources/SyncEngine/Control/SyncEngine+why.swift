package import ControlAPI
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// Why a record is as it is.
extension SyncEngine {
    /// How many changes of a record are looked through for who made the present values.
    fileprivate static let mostPast = 1_000

    package func why(_ id: String, in collection: String) async throws -> WhyReply {
        let record = try await record(id, in: collection)
        let key = try key(of: record)
        let rules = context.rules(key.collection)?.merge ?? MergeRules()
        return try await context.store.read { try $0.why(key, record, rules) }
    }
}

extension Transaction {
    /// - Parameter record: the reply for the record with this key.
    fileprivate func why(_ key: RecordKey, _ record: RecordReply, _ rules: MergeRules) throws -> WhyReply {
        let state = try self.record(key).state
        let past = try changes(of: key, limit: SyncEngine.mostPast)
        let holds = try held(key).compactMap { try hold($0.hold) }
        var seen: Set<Int64> = []
        let shown = record.base?.isOutdated == true ? nil : state.remote?.content.fields
        return WhyReply(
            record: record, fields: state.explained(rules, clock.node, past, shown),
            holds: holds.filter { seen.insert($0.number).inserted }.map(HoldReply.init),
            quarantine: try items(at: state).map { QuarantineReply($0) },
            conflicts: try conflicts(of: key).map { ConflictReply($0) })
    }
}

extension RecordState {
    /// Each field, with who set it and what the remote has.
    ///
    /// - Parameters:
    ///   - past: the changes of the record, newest first.
    ///   - shown: what the remote has; nil where that is not known.
    fileprivate func explained(
        _ rules: MergeRules, _ me: NodeID, _ past: [Change], _ shown: [String: JSONValue]?
    ) -> [WhyReply.Field] {
        let own = view?.fields ?? [:]
        return Set(own.keys).union(shown?.keys.map(\.self) ?? []).sorted().map { name in
            var (author, stamp) = origin(of: name, own[name], rules)
            var at = stamp?.physical
            // What an app wrote carries the stamp of the node that noticed.
            let last = past.first { $0.kind == .create || $0.past?.was[name] != nil }
            if author != nil, last?.author(of: name) == .app { author = .app }
            // A number that counts by its own rule carries the stamp of whoever wrote one last.
            if author != nil, rules.isNumber(name), last?.author(of: name) != author {
                (author, at) = (last?.author(of: name), last?.at)
            }
            let isEqual = shown.map { $0[name] == own[name] }
            return WhyReply.Field(
                name: name, value: own[name], stamp: stamp?.description, who: author?.word(me),
                at: at.map { Moment(milliseconds: $0) }, onRemote: isEqual,
                remote: isEqual == false ? shown?[name] : nil)
        }
    }

    private func origin(
        of name: String, _ value: JSONValue?, _ rules: MergeRules
    ) -> (ChangePast.Author?, Stamp?) {
        if let stamp = observed?.stamp(of: name) { return (.app, stamp) }
        guard let stamps = known.live?.stamps else { return (nil, nil) }
        let stamp = stamps.latest(of: name, to: value, rules)
        return stamp == .zero ? (nil, nil) : (.node(stamp.node), stamp)
    }
}
