internal import JSONText
package import SyncModel

/// One record that a hold names, as it stands while it waits.
package struct HeldState: Sendable {
    package let state: RecordState
    /// What names it, in the order it happened.
    private let held: [HeldRecord]
    private let waiting: WaitingLines

    /// - Parameter held: what of the hold names it, in the order it happened.
    package init(
        _ state: RecordState, held: [HeldRecord], in book: some RecordBook, _ applier: OperationApplier
    ) throws {
        self.state = state
        self.held = held
        waiting = try WaitingLines(held, in: book, applier)
    }

    /// One that no hold names.
    package init(_ state: RecordState) {
        (self.state, held, waiting) = (state, [], WaitingLines())
    }

    /// What people call the record: its title here, or what waits calls it; empty where neither does.
    package func title(_ field: String) -> String {
        let known = state.view ?? state.known.fields?.content ?? state.remote?.content
        if let title = known?.fields[field]?.text { return title }
        return lines.lazy.compactMap { $0.operation.fields[field]?.text }.first ?? ""
    }

    /// The body that was shown, where a hold keeps it.
    package var shown: [String: JSONValue]? {
        held.last?.payload.map { Content(canonicalText: $0).fields }
    }

    /// The fields that were edited here after it began to wait.
    var editedSince: Set<String> { held.last.map(state.fieldsEdited) ?? [] }

    /// Whether a reader saw it when it began to wait.
    var wasThere: Bool { held.last.map { $0.lastEdit != .zero } ?? false }

    /// The lines of the journal that wait of it, as far as they can be read.
    var lines: [(record: HeldRecord, operation: Operation)] { waiting.readable }

    /// Those, but for what another one takes the place of that waits behind it with the same `opID`.
    ///
    /// - Parameter isDone: whether the decision has a line applied at all.
    func edits(isDone: (HeldRecord, Operation) -> Bool) -> [(record: HeldRecord, operation: Operation)] {
        let corrected = waiting.corrected(isDone: isDone)
        return lines.filter { !corrected.contains($0.record.number) }
    }

    /// Whether a delete that waits is not done: the record was edited after that began to wait.
    func isSpared(from operation: Operation, _ record: HeldRecord) -> Bool {
        operation.kind == .delete && state.isEdited(since: record)
    }

    /// What the operations that wait do, in their order; those that do the same in a row are told once.
    ///
    /// - Parameter butDeletes: whether deletes do nothing.
    func waitingEdits(butDeletes: Bool = false) -> String {
        var isThere = state.view != nil
        var words: [String] = []
        let edits = edits { record, operation in
            butDeletes ? operation.kind != .delete : !isSpared(from: operation, record)
        }
        let lastCreate = edits.last { $0.operation.kind == .create }?.record.number ?? 0
        for (record, operation) in edits where !butDeletes || operation.kind != .delete {
            let word = effect(of: operation.kind, record, &isThere, isCreatedLater: record.number < lastCreate)
            if word != words.last { words.append(word) }
        }
        return words.isEmpty ? "nothing" : words.joined(separator: ", then ")
    }

    private func effect(
        of kind: Operation.Kind, _ record: HeldRecord, _ isThere: inout Bool, isCreatedLater: Bool
    ) -> String {
        switch kind {
        case .create:
            isThere = true
            return "created"
        case .update where !isThere:
            return isCreatedLater ? "the change is overwritten" : "the change goes to quarantine"
        case .update: return "changed"
        case .delete:
            if state.view == nil, !isThere { return "stays deleted" }
            guard !state.isEdited(since: record) else { return "stays: it was edited since" }
            isThere = false
            return "deleted"
        }
    }

    /// What an approved disappearance does to it.
    var disappearance: String {
        if state.view == nil { return "stays deleted" }
        return state.isEditedSinceSeen ? "stays: it was edited here since" : "deleted on every node"
    }

    /// What it is to be kept although it has disappeared.
    var keeping: String { state.view == nil ? "stays deleted" : "kept, and written to the remote again" }
}
