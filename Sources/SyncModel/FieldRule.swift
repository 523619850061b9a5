/// Which of two values of a field counts, where one is edited or two nodes have changed it.
public enum FieldRule: String, Hashable, Sendable, CaseIterable {
    /// The last write wins: what every field has that declares nothing.
    case last
    /// The higher number wins, whenever it was written; a number is never taken back by a lower one.
    case max
    /// The lower number wins likewise.
    case min
    /// The value is a list of texts, or an object of `true`s: members that were added and removed are merged one by one.
    case set
}
