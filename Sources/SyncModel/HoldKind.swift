/// Why the daemon refuses to do something until a person approves or rejects it (`docs/protocol.md` section 10).
public enum HoldKind: String, Hashable, Sendable, CaseIterable {
    /// More than max(5, 25 %) of a collection would be deleted at once.
    case massDelete
    /// A snapshot is empty while the base knows records.
    case emptyRemote
    /// An operation is from further in the future than `clock.maxAhead`.
    case futureEdit
    /// The part of the journal that was already read has been rewritten in place.
    case journalRewritten
}
