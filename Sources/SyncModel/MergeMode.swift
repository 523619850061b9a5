/// How versions of a collection's records are merged.
public enum MergeMode: String, Hashable, Sendable, CaseIterable {
    /// The last write of each field wins.
    case fields
    /// The later version wins whole.
    case record
}
