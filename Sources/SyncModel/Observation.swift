/// What an app without stamps changed in a record, as long as the remote shows it: names, and when each was observed.
///
/// The values are those of the base. Never an edit: it ends with the body it was read from (`docs/protocol.md` section 9).
package enum Observation: Hashable, Sendable {
    /// Nothing that was stamped is known of the record: all of the base is observed.
    case whole(Stamp)
    case fields([String: Stamp])

    /// All of it, in no order.
    package var stamps: [Stamp] {
        switch self {
        case .whole(let stamp): [stamp]
        case .fields(let stamps): Array(stamps.values)
        }
    }

    /// When this was observed of a field; nil where it was not.
    package func stamp(of name: String) -> Stamp? {
        switch self {
        case .whole(let stamp): stamp
        case .fields(let stamps): stamps[name]
        }
    }
}
