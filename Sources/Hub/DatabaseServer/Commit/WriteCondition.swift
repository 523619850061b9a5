internal import DatabaseTree

/// What an `if-match` asks for.
///
/// The ETag of a large node takes long to compute, and the one writer must not wait for that: it is computed before,
/// and the writer looks only whether the same node is still there.
struct WriteCondition: Sendable {
    let etag: ETag
    /// The node that was there when the ETag was computed, and whether it matched.
    private var compared: (node: Node?, matches: Bool)?

    init(_ etag: ETag) { self.etag = etag }

    /// The condition, compared with what is there now.
    func compared(with current: Node?) -> WriteCondition {
        var condition = self
        condition.compared = (current, Node.etag(current) == etag)
        return condition
    }

    /// Whether `current` matches; nil where finding out takes long.
    func holds(for current: Node?) -> Bool? {
        guard case .branch(let pages) = current else { return Node.etag(current) == etag }
        guard case .branch(let known)? = compared?.node, pages.isIdentical(to: known) else { return nil }
        return compared?.matches
    }
}
