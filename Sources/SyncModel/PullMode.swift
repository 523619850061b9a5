/// How much of a collection is read from the remote at a start.
package enum PullMode: String, Hashable, Sendable, CaseIterable {
    /// The whole collection, always: right where apps without stamps write too.
    case full
    /// What changed since the last time, by the server's time of each write.
    case incremental
}
