/// The answer to a conditional write.
public enum WriteOutcome: Hashable, Sendable {
    /// Written. The ETag of what stands there now, where the remote says it.
    case written(etag: String?)
    /// The condition did not hold; this stands there now.
    case conflict(RemoteEntry)
}
