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

    var operations: [Operation] { held.compactMap(operation) }

    private func operation(_ record: HeldRecord) -> Operation? {
        record.payload.flatMap { try? Operation(line: $0[...], keys: keys) }
    }

    /// What the operations that wait do, in their order.
    var waitingEdits: String {
        let words = held.compactMap { record in
            operation(record).map { operation in
                switch operation.kind {
                case .create: "created"
                case .update: "changed"
                case .delete: state.isEdited(since: record) ? "stays: it was edited since" : "deleted"
                }
            }
        }
        return words.isEmpty ? "nothing" : words.joined(separator: ", then ")
    }

    /// What an approved disappearance does to it.
    var disappearance: String {
        if state.view == nil { return "stays deleted" }
        return state.isEditedSinceSeen ? "stays: it was edited here since" : "deleted on every node"
    }

    /// What it is to be kept although it has disappeared.
    var keeping: String { state.view == nil ? "stays deleted" : "kept, and written to the remote again" }
}
