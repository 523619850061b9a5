package import SyncModel

/// One kind of hold: its words, and what ends it. Each kind is one file, which also raises it.
package protocol HoldRule: Sendable {
    /// What approving does, for people: one line that begins with a verb.
    func approval(of hold: Hold) -> String
    /// What rejecting does, likewise.
    func rejection(of hold: Hold) -> String

    /// What an answer does to one record that the hold names: a few words for people.
    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String

    /// Does what was approved, as edits stamped now; the hold has ended.
    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect
    /// Does what a rejection asks for, as edits stamped now; the hold has ended.
    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect

    /// Whether no line of the journal is read while it waits.
    var stopsJournal: Bool { get }
    /// Whether the journal is read on when it is rejected.
    var isReadOnAfterRejection: Bool { get }
    /// Whether nothing of its collection is pushed while it waits.
    var stopsCollection: Bool { get }

    /// Whether the hold ends by itself when its `until` has come.
    var expires: Bool { get }
    /// What happens then.
    func expire<Book>(_ decision: HoldDecision<Book>) throws
}

extension HoldRule {
    package var stopsJournal: Bool { false }
    package var isReadOnAfterRejection: Bool { false }
    package var stopsCollection: Bool { false }
    package var expires: Bool { false }
    package func expire<Book>(_ decision: HoldDecision<Book>) throws {}
}

extension Hold {
    /// Whether nothing of the collection is pushed while it waits.
    package func stops(_ collection: CollectionID) -> Bool {
        self.collection == collection && kind?.rule.stopsCollection == true
    }
}

extension RecordBook {
    /// The first hold that covers the collection as a whole.
    package func holdStopping(_ collection: CollectionID) throws -> Hold? {
        try firstHold(of: HoldKind.stoppingCollections) { $0.stops(collection) }
    }

    /// The first hold before which nothing more of the journal is read.
    package func holdStoppingJournal() throws -> Hold? { try firstHold(of: HoldKind.stoppingJournal) { _ in true } }

    private func firstHold(of kinds: [HoldKind], where isMeant: (Hold) -> Bool) throws -> Hold? {
        try kinds.compactMap { try holds(of: $0).first(where: isMeant) }.min { $0.number < $1.number }
    }
}

extension HoldKind {
    fileprivate static let stoppingCollections = allCases.filter(\.rule.stopsCollection)
    fileprivate static let stoppingJournal = allCases.filter(\.rule.stopsJournal)

    /// All that belongs to the kind. A new kind is a case of ``HoldKind``, a file, and a line here.
    package var rule: any HoldRule {
        switch self {
        case .massDelete: MassDelete()
        case .emptyRemote: EmptyRemote()
        case .rootIsOneRecord: RootIsOneRecord()
        case .massForeignChange: MassForeignChange()
        case .belowHorizon: BelowHorizon()
        case .journalRewritten: JournalRewritten()
        case .clockWrong: ClockWrong()
        case .futureEdit: FutureEdit()
        case .staleWriter: StaleWriter()
        case .sessionEnded: SessionEnded()
        }
    }
}
