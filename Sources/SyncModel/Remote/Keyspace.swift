/// A part of a remote that is read, written and listened to on its own.
public enum Keyspace: Hashable, Sendable {
    case records(CollectionID)
    case tombstones(CollectionID)

    public var collection: CollectionID {
        switch self {
        case .records(let collection), .tombstones(let collection): collection
        }
    }
}
