/// Which way writes are guarded against losing what others wrote meanwhile.
public enum WriteGuard: String, Hashable, Sendable, CaseIterable {
    /// Conditional requests, record by record.
    case etag
    /// The shipped security rules are deployed and bind our credential: everything goes in batches.
    case rules
}
