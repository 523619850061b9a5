/// Why the daemon refuses to do something until a person approves or rejects it (`docs/protocol.md` section 10).
public enum HoldKind: String, Hashable, Sendable, CaseIterable {
    /// More than max(5, 25 %) of a collection would be deleted at once.
    case massDelete
    /// A snapshot is empty while the base knows records.
    case emptyRemote
    /// The collection's place in the remote holds what looks like one record.
    case rootIsOneRecord
    /// More than max(100, 80 %) of a collection was changed at once by apps without stamps.
    case massForeignChange
    /// A record without a base is older than the oldest delete that is remembered: it may be long deleted.
    case belowHorizon
    /// The part of the journal that was already read has been rewritten in place.
    case journalRewritten
    /// This machine's clock and the server's differ by more than `clock.maxAhead`: nothing is stamped.
    case clockWrong
    /// An operation is from further in the future than `clock.maxAhead`.
    case futureEdit
    /// An app puts a deleted record back again and again.
    case staleWriter
    /// A person's session has ended: their edits can't be written in their name.
    case sessionEnded

    /// Whether its reason tells how many records it names, which changes while it waits.
    package var countsRecords: Bool {
        switch self {
        case .massDelete, .emptyRemote, .rootIsOneRecord, .massForeignChange, .belowHorizon: true
        case .journalRewritten, .clockWrong, .futureEdit, .staleWriter, .sessionEnded: false
        }
    }
}
