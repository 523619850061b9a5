/// Which way a hold, a pause or a change points.
public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// From this node to the remote; of a hold: from the journal.
    case push
    /// From the remote to this node.
    case pull
    /// Of a hold only: from the journal to this node.
    case journal
}
