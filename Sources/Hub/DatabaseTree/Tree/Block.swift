internal import FirebaseWire

/// Neighbouring children of a branch: small ones together, one that is a branch itself alone.
enum Block: Sendable {
    /// At least one.
    case packed(PackedChildren)
    indirect case branch(WireKey, Children)

    /// Packed children are split where they have more bytes than this, if there are several.
    static let maxSize = 4096

    var firstKey: WireKey {
        switch self {
        case .packed(let children): children.key(0)
        case .branch(let key, _): key
        }
    }

    func node(_ key: WireKey) -> Node? {
        switch self {
        case .packed(let children):
            let (index, isThere) = children.place(of: key)
            return isThere ? children.node(index) : nil
        case .branch(let own, let children): return own == key ? .branch(children) : nil
        }
    }

    /// The blocks that have `child` (nil: nothing) at `key` and all others of these children.
    func setting(_ key: WireKey, to child: Node?) -> [Block] {
        switch self {
        case .branch(let own, _):
            let new = child.map { [Block(key, $0)] } ?? []
            return own == key ? new : own < key ? [self] + new : new + [self]
        case .packed(let children):
            let (index, isThere) = children.place(of: key)
            let (before, after) = (0..<index, (isThere ? index + 1 : index)..<children.count)
            switch child {
            case nil: return Block.packed(.kept(children, before), .kept(children, after))
            case .packed(let row, let text)? where text.count > Block.maxSize || children.size > Block.maxSize:
                // What is large stands alone, and is not copied to find that out.
                return Block.packed(.kept(children, before)) + [Block(key, .packed(row: row, text: text))]
                    + Block.packed(.kept(children, after))
            case .packed(let row, let text)?:
                let all = PackedChildren(
                    .kept(children, before), .child(key, row: row, text: text), .kept(children, after))
                return all.split(over: Block.maxSize, last: after.isEmpty && !isThere).map { .packed($0) }
            case .branch(let inner)?:
                return Block.packed(.kept(children, before)) + [.branch(key, inner)]
                    + Block.packed(.kept(children, after))
            }
        }
    }

    init(_ key: WireKey, _ child: Node) {
        switch child {
        case .packed(let row, let text): self = .packed(PackedChildren(.child(key, row: row, text: text)))
        case .branch(let children): self = .branch(key, children)
        }
    }

    /// One block of these; none where that would be empty.
    private static func packed(_ pieces: PackedChildren.Piece...) -> [Block] {
        let kept = pieces.compactMap { piece in
            if case .kept(let children, let range) = piece, !range.isEmpty { (children, range) } else { nil }
        }
        switch kept.count {
        case 0: return []
        case 1:
            let (children, range) = kept[0]
            return [.packed(range.count == children.count ? children : PackedChildren(.kept(children, range)))]
        default: return [.packed(PackedChildren(.kept(kept[0].0, kept[0].1), .kept(kept[1].0, kept[1].1)))]
        }
    }

    /// Both in one; nil where that would be too large, or one of them is a branch.
    func joined(_ next: Block) -> Block? {
        guard case .packed(let own) = self, case .packed(let its) = next,
            own.size + its.size <= Block.maxSize * 3 / 4
        else { return nil }
        return .packed(PackedChildren(.kept(own, 0..<own.count), .kept(its, 0..<its.count)))
    }

    /// Whether it is worth joining with another.
    var isSmall: Bool { if case .packed(let children) = self { children.size < Block.maxSize / 4 } else { false } }

    /// A short key that is not above `next`'s first and above this one's last.
    func separator(_ next: Block) -> WireKey {
        switch self {
        case .branch(let key, _):
            // All behind it, so that what comes there finds one block. No key has a control character.
            return WireKey(unchecked: key.text + "\u{1}")
        case .packed(let children):
            let last = children.key(children.count - 1).text.utf8
            let first = Array(next.firstKey.text.utf8)
            var end = zip(last, first).prefix { $0 == $1 }.count + 1
            // A letter is not cut.
            while end < first.count, first[end] & 0xC0 == 0x80 { end += 1 }
            return WireKey(unchecked: String(decoding: first.prefix(end), as: UTF8.self))
        }
    }
}
