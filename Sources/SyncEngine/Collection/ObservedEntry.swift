internal import JSONText
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// An entry of a keyspace in the words of its collection.
struct ObservedEntry: Sendable {
    enum Value: Sendable {
        case record(Reading)
        case tombstone(KnownTombstone?)
        case unreadable(Defect)
    }

    /// Nil where the key is no UUID.
    var id: RecordID?
    /// The key as it stands in the remote.
    var key: String
    var value: Value
    var serverTime: UInt64?
    var etag: String?

    /// The key where it is not the upper-case id.
    var nonCanonicalKey: String? { id?.description == key ? nil : key }

    var isAbsent: Bool {
        if case .record(.absent) = value { true } else { false }
    }
}
