/// The stamps of all fields of a record, those that are not there included.
///
/// Every name has a stamp: the one it is named with; else the zero stamp, where the field holds its collection's default,
/// which nobody chose; else ``common`` (`docs/protocol.md` sections 4 and 6, `_f`).
public struct FieldStamps: Hashable, Sendable {
    /// The stamp of what is not named: of the edit that last set the record as a whole.
    public var common: Stamp
    /// The names with another stamp. A field that was removed later than ``common`` is named, and has no value; a member
    /// of a set is named `field/member`.
    public var named: [String: Stamp]

    public init(_ common: Stamp, named: [String: Stamp] = [:]) {
        self.common = common
        self.named = named
    }

    /// The highest stamp of any field.
    public var newest: Stamp { named.isEmpty ? common : max(common, named.values.max() ?? common) }
}
