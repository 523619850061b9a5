internal import JSONText
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// Applies journal operations to records, one transaction for many.
struct OperationApplier {
    /// Which stamp the operation gets.
    enum Stamping: Sendable {
        case line(StampPolicy.Origin)
        /// It was decided by a person just now.
        case decided
        /// It was given this one when it was first tried.
        case given(Stamp)
    }

    let transaction: Transaction
    let time: StampPolicy
    let run: Int64
    let keepsTombstones: Bool
    let plugin: @Sendable (CollectionID) -> (any CollectionPlugin)?

    var writer: RecordWriter {
        RecordWriter(transaction: transaction, keepsTombstones: keepsTombstones, wall: time.wall)
    }

    /// Applies one operation.
    ///
    /// - Parameter line: the journal line, kept with the operation where it must wait.
    /// - Throws: a ``Defect`` where the operation can't be applied; the caller puts it into quarantine.
    func apply(_ operation: Operation, _ stamping: Stamping, line: [UInt8], origin: Change.Origin) throws {
        guard let plugin = plugin(operation.key.collection) else {
            throw Defect(.unknownCollection, "there is no enabled collection \"\(operation.key.collection)\"")
        }
        var stored = try transaction.record(operation.key)
        if case .line = stamping {
            if let opID = operation.opID, try !transaction.registerOperation(opID: opID, now: time.wall) { return }
            let waiting = try transaction.anyHeld() ? transaction.held(operation.key).last { $0.payload != nil } : nil
            if let waiting {
                try transaction.attach(operation.key, to: waiting.hold, payload: line)
                return
            }
        }
        // Before anything else: what is from the future waits, whether or not it could be applied now.
        guard let stamp = try stamp(operation, stamping, stored.state) else {
            try FutureEdit.raise(for: operation, line: line, time, in: transaction)
            try writer.save(stored, Outcome(), origin: origin)
            return
        }
        let content = try content(of: operation, stored.state, plugin)
        if stored.state.local == nil, stored.state.remote == nil { stored.state.newInRun = run }
        let outcome = stored.state.edited(Version(content, stamp))
        try writer.save(stored, outcome, origin: origin)
    }

    private func content(
        of operation: Operation, _ state: RecordState, _ plugin: any CollectionPlugin
    ) throws -> Content? {
        var named = operation.fields
        for key in plugin.identityFieldNames { named[key] = nil }
        switch operation.kind {
        case .delete: return nil
        case .create: return Content(fields: try plugin.validated(named))
        case .update:
            guard let current = state.local?.content else {
                throw Defect(.unknownRecord, "\(operation.key.collection) has no record \(operation.key.id) to update")
            }
            return Content(fields: try plugin.validated(current.fields.merging(named) { _, edit in edit }))
        }
    }

    /// Nil where the operation is from too far in the future.
    private func stamp(_ operation: Operation, _ stamping: Stamping, _ state: RecordState) throws -> Stamp? {
        switch stamping {
        case .given(let stamp): return stamp
        case .decided: return time.now(over: state, &transaction.clock)
        case .line(let origin):
            let decided = time.stamp(at: operation.at, origin: origin, state: state, clock: &transaction.clock)
            if case .stamp(let stamp) = decided { return stamp }
            return nil
        }
    }
}

extension OperationApplier {
    /// The stamp a line has at its first attempt, for an operation that must be tried again later; nil where it is
    /// from too far in the future.
    func firstStamp(_ operation: Operation, _ origin: StampPolicy.Origin) throws -> Stamp? {
        try stamp(operation, .line(origin), try transaction.record(operation.key).state)
    }
}
