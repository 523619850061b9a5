internal import JSONText
package import SyncModel

/// What an answered read showed under a record's key, in the words of its collection.
package enum Reading: Hashable, Sendable {
    case absent
    case stamped(Content, Stamp)
    /// A body without a stamp: the fields that the app names, and the defaults of those it does not.
    case foreign(named: [String: JSONValue], defaults: [String: JSONValue])
}

extension Reading {
    /// The stamp that the body carries.
    package var stamp: Stamp? { if case .stamped(_, let stamp) = self { stamp } else { nil } }

    /// The content it has for a reader who knows nothing else of the record.
    package var content: Content? {
        switch self {
        case .absent: nil
        case .stamped(let content, _): content
        case .foreign(let named, let defaults): Content(fields: defaults.merging(named) { _, named in named })
        }
    }
}
