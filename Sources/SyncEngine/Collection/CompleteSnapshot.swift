internal import SyncModel

/// A whole snapshot, as far as it matters for what is missing from it.
struct CompleteSnapshot: Sendable {
    /// The records it showed.
    var shown: Set<RecordID>
    /// The records the base knew before it was asked for.
    var known: Set<RecordID>
}
