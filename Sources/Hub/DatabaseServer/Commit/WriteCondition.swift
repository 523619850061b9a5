internal import DatabaseTree

/// What must be there for a write to happen: of an `if-match`, or of a transaction.
///
/// The hash of a large node takes long to compute, and the one writer must not wait for that: it is computed before,
/// and the writer looks only whether the same node is still there.
struct WriteCondition: Sendable {
    private enum Wanted: Sendable {
        case etag(ETag)
        case hash(ValueHash)

        func matches(_ node: Node?) -> Bool {
            switch self {
            case .etag(let etag): Node.etag(node) == etag
            case .hash(let hash): ValueHash(of: node) == hash
            }
        }
    }

    private let wanted: Wanted
    /// The node that was there when it was compared, and whether it matched.
    private var compared: (node: Node?, matches: Bool)?

    init(_ etag: ETag) { wanted = .etag(etag) }

    init(_ hash: ValueHash) { wanted = .hash(hash) }

    /// The condition, compared with what is there now.
    func compared(with current: Node?) -> WriteCondition {
        var condition = self
        condition.compared = (current, wanted.matches(current))
        return condition
    }

    /// Whether `current` matches; nil where finding out takes long.
    func holds(for current: Node?) -> Bool? {
        guard case .branch(let pages) = current else { return wanted.matches(current) }
        guard case .branch(let known)? = compared?.node, pages.isIdentical(to: known) else { return nil }
        return compared?.matches
    }
}
