/// The next request that brings the remote nearer to a record's version; at most one is in flight.
package enum PushStep: Hashable, Sendable {
    /// The remote holds what it should.
    case nothing
    /// The record's version was refused or is held.
    case blocked
    /// The first attempt of a record nobody else can have: a batch without conditions.
    case insertInBatch
    case write(Condition)
    case writeTombstone(Condition)
    case remove(etag: String)
    /// The ETag is not known: read and merge first, then decide again.
    case read
    case readTombstone

    package enum Condition: Hashable, Sendable {
        case absent
        case matches(etag: String)
    }
}
