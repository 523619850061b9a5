internal import JSONText
package import SyncModel

/// One record that a hold names, as it stands while it waits.
package struct HeldState: Sendable {
    package let state: RecordState
    /// What names it, in the order it happened.
    private let held: [HeldRecord]
    private let keys: KeyTemplates

    /// - Parameters:
    ///   - held: what of the hold names it, in the order it happened.
    ///   - keys: what the keys of each collection are made of.
    package init(_ state: RecordState, held: [HeldRecord], keys: KeyTemplates) {
        self.state = state
        self.held = held
        self.keys = keys
    }

    /// What people call the record: its title here, or what waits calls it; empty where neither does.
    package func title(_ field: String) -> String {
        let waiting = operations.lazy.compactMap { $0.fields[field]?.text }.first
        let known = state.view ?? state.known.fields?.content ?? state.remote?.content
        return known?.fields[field]?.text ?? waiting ?? ""
    }

    /// The body that was shown, where a hold keeps it.
    package var shown: [String: JSONValue]? {
        held.last?.payload.map { Content(canonicalText: $0).fields }
    }

    /// The fields that were edited here after it began to wait.
    var editedSince: Set<String> { held.last.map(state.fieldsEdited) ?? [] }

    /// Whether a reader saw it when it began to wait.
    var wasThere: Bool { held.last.map { $0.lastEdit != .zero } ?? false }

    var operations: [Operation] { lines.map(\.operation) }

    /// What waits of it, but for what another one takes the place of that waits behind it with the same `opID`.
    private var lines: [(record: HeldRecord, operation: Operation)] {
        var opIDs: Set<String> = []
        return held.reversed().compactMap { record in
            guard let operation = operation(record) else { return nil }
            if let opID = operation.opID, !opIDs.insert(opID).inserted { return nil }
            return (record, operation)
        }.reversed()
    }

    private func operation(_ record: HeldRecord) -> Operation? {
        record.payload.flatMap { try? Operation(line: $0[...], keys: keys) }
    }

    /// What the operations that wait do, in their order; those that do the same in a row are told once.
    ///
    /// - Parameter butDeletes: whether deletes do nothing.
    func waitingEdits(butDeletes: Bool = false) -> String {
        var isThere = state.view != nil
        var words: [String] = []
        for (record, operation) in lines where !butDeletes || operation.kind != .delete {
            let word = effect(of: operation.kind, record, &isThere)
            if word != words.last { words.append(word) }
        }
        return words.isEmpty ? "nothing" : words.joined(separator: ", then ")
    }

    private func effect(of kind: Operation.Kind, _ record: HeldRecord, _ isThere: inout Bool) -> String {
        switch kind {
        case .create:
            isThere = true
            return "created"
        case .update: return isThere ? "changed" : "the change goes to quarantine"
        case .delete:
            if state.view == nil, !isThere { return "stays deleted" }
            guard !state.isEdited(since: record) else { return "stays: it was edited since" }
            isThere = false
            return "deleted"
        }
    }

    /// Whether a delete that waits first is not done: the record was edited after that began to wait.
    var sparesFromDelete: Bool {
        guard let first = held.first, operation(first)?.kind == .delete else { return false }
        return state.isEdited(since: first)
    }

    /// What an approved disappearance does to it.
    var disappearance: String {
        if state.view == nil { return "stays deleted" }
        return state.isEditedSinceSeen ? "stays: it was edited here since" : "deleted on every node"
    }

    /// What it is to be kept although it has disappeared.
    var keeping: String { state.view == nil ? "stays deleted" : "kept, and written to the remote again" }
}
