internal import ControlAPI
internal import LocalStore
internal import SyncModel

/// One kind of hold: its words, and what ends it. Each kind is one file, which also raises it.
protocol HoldRule: Sendable {
    /// What approving does, for people: one line that begins with a verb.
    func approval(of hold: Hold) -> String
    /// What rejecting does, likewise.
    func rejection(of hold: Hold) -> String

    /// Does what was approved, as edits stamped now; the hold has ended.
    func approve(_ decision: HoldDecision) throws -> HoldEffect
    /// Does what a rejection asks for, as edits stamped now; the hold has ended.
    func reject(_ decision: HoldDecision) throws -> HoldEffect

    /// What happens when the hold's `until` has come; nil where only a person ends it.
    var expire: (@Sendable (HoldDecision) throws -> Void)? { get }
}

extension HoldKind {
    /// All that belongs to the kind. A new kind is a case of ``HoldKind``, a file, and a line here.
    var rule: any HoldRule {
        switch self {
        case .massDelete: MassDelete()
        case .emptyRemote: EmptyRemote()
        case .futureEdit: FutureEdit()
        case .journalRewritten: JournalRewritten()
        }
    }
}

extension Hold {
    /// The rule of its kind.
    ///
    /// - Throws: ``ControlError`` where another version raised it and this one does not know the kind.
    func rule() throws(ControlError) -> any HoldRule {
        guard let kind else { throw .unknownHoldKind(word, ofHold: number) }
        return kind.rule
    }
}
