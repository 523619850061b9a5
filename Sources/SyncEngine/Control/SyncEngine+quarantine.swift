package import ControlAPI
internal import FoundationEssentials
internal import JSONText
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// The quarantine: what is in it, and what a person or the daemon does about it.
extension SyncEngine {
    package func quarantine(after: String?, limit: Int) async throws -> Page<QuarantineReply> {
        let from = try number(after)
        let items = try await context.store.read { try $0.quarantined(after: from, limit: limit + 1) }
        let replies = items.prefix(limit).map { QuarantineReply($0) }
        return Page(items: replies, next: items.count > limit ? replies.last.map { String($0.id) } : nil)
    }

    package func quarantined(_ id: Int64) async throws -> QuarantineDetailReply {
        let (item, stored) = try await context.store.read { transaction in
            guard let item = try transaction.quarantined(id) else { throw ControlError.unknownQuarantined(id) }
            return (item, try item.key.map { try transaction.record($0) })
        }
        var detail = QuarantineDetailReply(item: QuarantineReply(item), stamp: item.stamp?.description)
        if let stored, stored.row != nil { detail.here = try await reply(stored) }
        if let line = item.payload ?? stored.flatMap({ item.source == .push ? $0.state.operationLine : nil }) {
            detail.line = String(decoding: line, as: UTF8.self)
            if String(validating: line, as: UTF8.self) == nil { detail.bytes = Data(line).base64EncodedString() }
            detail.isWhole = item.length.map { line.count + 2 >= $0 } ?? true
        }
        if let collection = item.collection, let record = item.record {
            let key = item.isTombstone ? record : stored?.state.remoteKey ?? record
            detail.remote = await shown(key, in: item.isTombstone ? .tombstones(collection) : .records(collection))
        }
        return detail
    }

    /// What the remote shows now, within a few seconds.
    private func shown(_ key: String, in keyspace: Keyspace) async -> QuarantineDetailReply.Shown {
        do {
            let entry = try await withTimeout(.seconds(5)) { [context] in
                try await context.remote.read(key, in: keyspace)
            }
            return entry.map { .init($0.value) } ?? .init(fields: nil, reason: "the remote does not answer")
        } catch {
            return .init(fields: nil, reason: "the remote can't be read: \(error)".oneLine)
        }
    }

    package func dropQuarantined(_ id: Int64) async throws {
        let item = try await context.commit { [context] transaction in
            guard let item = try transaction.quarantined(id) else { throw ControlError.unknownQuarantined(id) }
            try transaction.drop(item, context.applier)
            return item
        }
        readAgain([item])
    }

    package func dropQuarantined(_ ids: [Int64]) async throws {
        let items = try await context.commit { [context] transaction in
            let items = try ids.compactMap(transaction.quarantined)
            for item in items { try transaction.drop(item, context.applier) }
            return items
        }
        readAgain(items)
    }
}

extension RecordState {
    /// A journal line that makes what this node has of the record.
    fileprivate var operationLine: [UInt8]? {
        guard let version else { return nil }
        var members: [String: JSONValue] = [
            "op": .string(version.deleted ? "delete" : "create"), "collection": .string(key.collection.name),
            "id": .string(key.id.description),
        ]
        if let fields = version.content?.fields { members["fields"] = .object(fields) }
        return JSONWriter.text(members)
    }
}

extension QuarantineDetailReply.Shown {
    fileprivate init(_ value: RemoteValue) {
        switch value {
        case .absent: self.init(fields: nil, reason: "the remote has nothing there")
        case .record(let fields, _): self.init(fields: fields)
        case .tombstone: self.init(fields: nil, reason: "the remote has a tombstone there")
        case .unreadable(let defect): self.init(fields: nil, reason: defect.message)
        }
    }
}

extension QuarantineReply {
    init(_ item: QuarantinedItem) {
        let source: QuarantineReply.Source =
            switch item.source {
            case .journal: .journal
            case .push: .push
            case .pull: .pull
            }
        self.init(
            id: item.number, source: source, collection: item.collection?.name, record: item.record,
            code: item.defect.code.word, reason: item.defect.message, since: Moment(milliseconds: item.since),
            attempts: item.attempts, file: item.file, offset: item.offset.map { UInt64($0) },
            length: item.length.map { Int($0) })
    }
}
