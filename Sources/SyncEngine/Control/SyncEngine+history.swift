package import ControlAPI
internal import JSONText
internal import LocalStore
internal import SyncModel

/// What this node has seen of a record.
extension SyncEngine {
    package func history(
        of id: String, in collection: String, after: String?, limit: Int
    ) async throws -> HistoryReply {
        let before = try number(after)
        let key = try await seenKey(id, in: collection)
        let me = context.store.node
        return try await context.store.read { transaction in
            let found = try transaction.allChanges(of: key, before: before == 0 ? .max : before, limit: limit + 1)
            let shown = found.prefix(limit)
            let isLast = found.count <= limit
            let newest = before == 0 ? UInt64.max : found.first.map(\.at) ?? .max
            let oldest = isLast ? 0 : shown.last?.at ?? 0
            let conflicts = try transaction.conflicts(of: key).filter { oldest <= $0.at && $0.at <= newest }
            var items = shown.enumerated().map { index, change in
                HistoryReply.Item(change, previous: index + 1 < found.count ? found[index + 1] : nil, me)
            }
            items += conflicts.map { HistoryReply.Item($0, me) }
            return HistoryReply(
                collection: collection, id: key.id.description, items: items.sorted { $0.at > $1.at },
                next: isLast ? nil : shown.last.map { String($0.sequence) },
                complete: try isLast && shown.last.map(transaction.isBeginning) ?? false,
                keptSince: try transaction.changesKeptSince().map { Moment(milliseconds: $0) })
        }
    }

    /// The record that a prefix of an id stands for; a whole id also that of one which this node has forgotten.
    private func seenKey(_ id: String, in collection: String) async throws -> RecordKey {
        do {
            return try await recordKey(id, in: collection)
        } catch let error as ControlError where error.code == "unknownRecord" {
            guard let record = RecordID(id) else { throw error }
            let key = RecordKey(try known(collection), record)
            guard try await context.store.read({ try !$0.allChanges(of: key, limit: 1).isEmpty }) else { throw error }
            return key
        }
    }

    /// The record that a prefix of an id stands for.
    ///
    /// - Throws: as ``record(_:in:)``.
    func recordKey(_ id: String, in collection: String) async throws -> RecordKey {
        try key(of: try await record(id, in: collection))
    }

    /// The key of the record that a reply is about.
    func key(of reply: RecordReply) throws -> RecordKey {
        guard let id = RecordID(reply.id) else { throw ControlError.unknownRecord(reply.id, in: reply.collection) }
        return RecordKey(try known(reply.collection), id)
    }
}

extension HistoryReply.Item {
    /// - Parameter previous: the change before; tells what was there where the change itself does not.
    fileprivate init(_ change: Change, previous: Change?, _ me: NodeID) {
        let new = change.version.content?.fields ?? [:]
        let old = change.kind == .create ? [:] : change.past?.was ?? previous?.version.content?.fields
        let names =
            change.past != nil && change.kind != .create
            ? Set(change.past?.was.keys.map(\.self) ?? []) : Set(new.keys).union(old?.keys.map(\.self) ?? [])
        let fields = names.filter { change.past?.was[$0] != nil || old?[$0] != new[$0] }.sorted().map { name in
            HistoryReply.Field(
                name: name, before: old?.filter { $0.value != .null }[name], after: new[name],
                who: change.author(of: name).word(me))
        }
        // An update whose fields are all of one author is that author's, whoever stamped it.
        let authors = Set(fields.map(\.who))
        let who = change.kind == .update && authors.count == 1 ? authors.first : nil
        self.init(
            seq: change.sequence, at: Moment(milliseconds: change.at), op: change.kind.rawValue,
            who: who ?? change.author().word(me), origin: change.origin.rawValue,
            stamp: change.stamp?.description, rule: nil, fields: fields)
    }

    fileprivate init(_ entry: LedgerEntry, _ me: NodeID) {
        let (lost, won) = (entry.loser.content?.fields ?? [:], entry.winner.content?.fields ?? [:])
        let names = entry.fields.isEmpty ? Set(lost.keys).union(won.keys).sorted() : entry.fields
        let who = ChangePast.Author.node(entry.winner.stamp.node).word(me)
        self.init(
            seq: nil, at: Moment(milliseconds: entry.at), op: "conflict", who: who, origin: nil,
            stamp: entry.winner.stamp.description, rule: entry.rule,
            fields: names.filter { lost[$0] != won[$0] }.map {
                .init(name: $0, before: lost[$0], after: won[$0], who: who)
            })
    }
}

extension ChangePast.Author {
    /// For people: `this node`, `app`, or the id of a node.
    func word(_ me: NodeID) -> String { self == .node(me) ? "this node" : description }
}
