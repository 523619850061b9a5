internal import FoundationEssentials
internal import JSONText
internal import JournalTail
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// One batch of journal lines: read outside the transaction, applied inside.
struct JournalBatchApplier: Sendable {
    struct Done: Sendable {
        var lines = 0
        var rejected: [QuarantinedItem] = []
    }

    private struct Line: Sendable {
        var text: [UInt8]
        var offset: UInt64
        var length: Int
        var operation: Result<Operation, Defect>
    }

    private let lines: [Line]
    private let file: String
    private let position: [UInt8]
    private let origin: StampPolicy.Origin
    private let context: EngineContext
    private let deletes: DeleteLimits

    init(batch: JournalBatch, origin: StampPolicy.Origin, context: EngineContext, deletes: DeleteLimits) {
        lines = batch.elements.map { element in
            switch element {
            case .line(let line):
                let operation = Result { () throws(Defect) in try Operation(line: line.bytes) }
                return Line(
                    text: Array(line.bytes), offset: line.offset, length: line.length, operation: operation)
            case .rejected(let defect, let offset, let length, let head):
                return Line(text: head, offset: offset, length: length, operation: .failure(defect))
            }
        }
        file = batch.file
        position = (try? JSONEncoder().encode(batch.position)).map { Array($0) } ?? []
        self.origin = origin
        self.context = context
        self.deletes = deletes
    }

    func apply(in transaction: Transaction) throws -> Done {
        var done = Done()
        let applier = context.applier(transaction)
        let holds = try holdsForDeletes(in: transaction)
        for line in lines {
            do {
                let operation = try line.operation.get()
                if operation.kind == .delete, let hold = holds[operation.key.collection] {
                    try transaction.attach(operation.key, to: hold, payload: line.text)
                    try applier.writer.save(try transaction.record(operation.key), Outcome(), origin: .journal)
                    continue
                }
                try applier.apply(operation, .line(origin), line: line.text, origin: .journal)
            } catch let defect as Defect {
                done.rejected.append(try reject(line, defect, applier))
            }
        }
        try transaction.setValue(JournalIngest.position, position)
        done.lines = lines.count + (try transaction.number(JournalIngest.lines) ?? 0)
        try transaction.setValue(JournalIngest.lines, Array(String(done.lines).utf8))
        return done
    }

    private func reject(_ line: Line, _ defect: Defect, _ applier: OperationApplier) throws -> QuarantinedItem {
        var item = QuarantinedItem(.journal, defect, since: context.wall())
        item.file = file
        item.offset = Int64(line.offset)
        item.length = Int64(line.length)
        item.payload = line.text
        if case .success(let operation) = line.operation {
            item.collection = operation.key.collection
            item.record = operation.key.id.description
            if defect.code == .unknownRecord { item.stamp = try applier.firstStamp(operation, origin) }
        }
        try applier.transaction.quarantine(item)
        return item
    }

    /// For each collection of which this batch would delete too much: the hold that takes its deletes.
    private func holdsForDeletes(in transaction: Transaction) throws -> [CollectionID: Int64] {
        var keys: [CollectionID: Set<RecordID>] = [:]
        for line in lines {
            guard case .success(let operation) = line.operation, operation.kind == .delete else { continue }
            keys[operation.key.collection, default: []].insert(operation.key.id)
        }
        var holds: [CollectionID: Int64] = [:]
        for (collection, ids) in keys {
            let live = try ids.filter { try transaction.record(RecordKey(collection, $0)).state.local?.content != nil }
            let admitted = deletes.admits(live.count, collection, .journal, now: context.wall())
            guard !admitted else { continue }
            holds[collection] = try deletes.hold(
                live.count, collection, .journal, now: context.wall(), in: transaction)
        }
        return holds
    }
}
