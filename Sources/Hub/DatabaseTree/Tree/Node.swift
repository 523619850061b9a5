package import FirebaseWire

/// A value of the database: small ones as their canonical text, large ones as a branch of children.
///
/// A packed node is one row of the file, so its size bounds what one write rewrites.
package enum Node: Sendable {
    /// Number 0 is not stored yet.
    case packed(row: Int64, text: [UInt8])
    /// Has at least one child.
    case branch(Children)

    /// A packed node is split into its children where its text is longer than this, in bytes.
    static let maxPacked = 8192

    /// Makes a node that is not stored yet, split as needed.
    ///
    /// - Parameter text: canonical text.
    package init(canonical text: some Collection<UInt8> & Sendable) {
        let bytes = Array(text)
        guard bytes.count > Node.maxPacked, !CanonicalText.isLeaf(bytes[...]) else {
            self = .packed(row: 0, text: bytes)
            return
        }
        self.init(CanonicalText.members(bytes[...]).map { ($0.key, Node(canonical: $0.text)) })
    }

    private init(_ children: [(WireKey, Node)]) {
        var pages = Children()
        for (key, child) in children { pages.update(key) { $0 = child } }
        self = .branch(pages)
    }

    /// What is stored at `path` below this node.
    package func descend(_ path: ArraySlice<WireKey>) -> Node? {
        guard let key = path.first else { return self }
        switch self {
        case .branch(let pages): return pages[key]?.descend(path.dropFirst())
        case .packed(_, let text):
            return CanonicalText.value(at: path, in: text[...]).map { .packed(row: 0, text: Array($0)) }
        }
    }

    /// The children, in byte order of their keys, until `body` returns false; none for a leaf. Priorities are no
    /// children.
    package func forEachChild(_ body: (WireKey, Node) throws -> Bool) rethrows {
        switch self {
        case .branch(let pages): try pages.forEach { key, child in try key.isPseudo || body(key, child) }
        case .packed(_, let text):
            for member in CanonicalText.members(text[...]) where !member.key.isPseudo {
                guard try body(member.key, .packed(row: 0, text: Array(member.text))) else { return }
            }
        }
    }

    /// The whole canonical text as it is stored.
    package var text: [UInt8] { text(.stored) }

    /// The whole text in one of its forms.
    package func text(_ form: NodeEncoder.Form) -> [UInt8] {
        if case .packed(_, let text) = self, form == .stored { return text }
        var out: [UInt8] = []
        var pieces = NodeEncoder(self, form)
        while let piece = pieces.next() { out.append(contentsOf: piece) }
        return out
    }

    /// The length of the stored text in bytes, keys of branches left out; the walk ends where it is more than `limit`.
    package func size(upTo limit: Int) -> Int {
        switch self {
        case .packed(_, let text): return text.count
        case .branch(let pages):
            var size = 0
            pages.forEach { _, child in
                size += child.size(upTo: limit - size)
                return size <= limit
            }
            return size
        }
    }

    /// Whether the same is stored in both, however it is packed.
    package func hasSameContent(as other: Node) -> Bool {
        guard case .branch(let mine) = self, case .branch(let its) = other else { return text == other.text }
        guard !mine.isIdentical(to: its) else { return true }
        guard mine.count == its.count else { return false }
        var others = Children.Cursor(its)
        return mine.forEach { key, child in
            guard let other = others.next() else { return false }
            return key == other.key && child.hasSameContent(as: other.value)
        }
    }
}

extension Node {
    /// The ETag of what is stored, or of nothing.
    package static func etag(_ node: Node?) -> ETag {
        switch node {
        case nil: return .null
        case .packed(_, let text): return ETag(of: text)
        case .branch(let pages):
            var digest = ETag.Digest()
            var pieces = NodeEncoder(.branch(pages))
            while let piece = pieces.next() { digest.update(piece) }
            return digest.finish()
        }
    }

    /// The text of a node that has `child` at `path` below `text` instead of what is there; nil where nothing is left.
    ///
    /// - Parameter text: canonical text of a packed node; nil where there is none.
    static func edited(_ text: ArraySlice<UInt8>?, at path: ArraySlice<WireKey>, to child: Node?) -> Node? {
        guard let key = path.first else { return child }
        if key == .priority { return text.flatMap { withPriority($0, child) } }
        var members = text.map { CanonicalText.members($0).map { ($0.key, Node.packed(row: 0, text: Array($0.text))) } }
        let place = members?.firstIndex { $0.0 == key }
        var old: ArraySlice<UInt8>?
        if let place, case .packed(_, let text)? = members?[place].1 { old = text[...] }
        let new = edited(old, at: path.dropFirst(), to: child)
        if let place { members?.remove(at: place) }
        if let new { members = (members ?? []) + [(key, new)] }
        return joined(Node.normalized(members ?? []))
    }

    /// One node of these children, packed where it is small enough; nil without children.
    static func joined(_ children: [(WireKey, Node)]) -> Node? {
        guard !children.isEmpty else { return nil }
        var members: [CanonicalText.Member] = []
        for (key, child) in children.sorted(by: { $0.0 < $1.0 }) {
            guard case .packed(_, let text) = child else { return Node(children) }
            members.append(CanonicalText.Member(key, text[...]))
        }
        return CanonicalText.joined(members).map { Node(canonical: $0) }
    }
}
