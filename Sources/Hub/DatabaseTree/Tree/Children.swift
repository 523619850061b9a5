internal import FirebaseWire

/// The children of a branch by their keys, a value like a dictionary; iteration is in byte order.
///
/// A copy costs nothing; a change to one copy costs a block and the pages on the way to it, so the published tree stays
/// readable while the next one is made. Lookup, insertion and removal are logarithmic.
package struct Children: Sendable {
    /// By keys that are not above those in the block, and above those in the block before it.
    var blocks = SortedPages<Block>()
    package var count = 0

    var isEmpty: Bool { count == 0 }

    /// How many pieces of memory the children are in.
    var blockCount: Int { blocks.count }

    /// Whether this and `other` surely hold the same, because they share their memory. False says nothing.
    package func isIdentical(to other: Children) -> Bool { blocks.isIdentical(to: other.blocks) }

    subscript(key: WireKey) -> Node? { blocks.floor(key)?.value.node(key) }

    /// The children of the child at `key`, where that is a branch.
    func branch(_ key: WireKey) -> Children? {
        guard case .branch(key, let children)? = blocks.floor(key)?.value else { return nil }
        return children
    }

    /// Lets `change` replace, insert (it was nil) or remove (it becomes nil) the child at `key`.
    mutating func update<Result>(_ key: WireKey, _ change: (inout Node?) -> Result) -> Result {
        let separator = blocks.floorKey(key) ?? SortedPages<Block>.lowest
        var all: [Block] = []
        let result = blocks.update(separator) { block in
            var child = block?.node(key)
            let wasThere = child != nil
            // The block lets go of a branch while that changes, so that its own pages are not shared with a copy here.
            if case .branch(key, _) = block { block = nil }
            let result = change(&child)
            all = block?.setting(key, to: child) ?? child.map { [Block(key, $0)] } ?? []
            count += (child == nil ? 0 : 1) - (wasThere ? 1 : 0)
            block = all.first
            return result
        }
        if all.count > 1 { setFollowing(all) }
        if all.count == 1, all[0].isSmall { joinWithNext(separator, all[0]) }
        return result
    }

    /// Puts blocks where there was one.
    mutating func set(_ all: [Block], at separator: WireKey) {
        blocks.update(separator) { $0 = all.first }
        setFollowing(all)
    }

    private mutating func setFollowing(_ all: [Block]) {
        for (block, next) in zip(all, all.dropFirst()) { blocks.update(block.separator(next)) { $0 = next } }
    }

    private mutating func joinWithNext(_ separator: WireKey, _ block: Block) {
        var cursor = SortedPages<Block>.Cursor(blocks, from: separator)
        _ = cursor.next()
        guard let next = cursor.next(), let joined = block.joined(next.value) else { return }
        blocks.update(separator) { $0 = joined }
        blocks.update(next.key) { $0 = nil }
    }

    /// Calls `body` with every child in byte order of the keys until it returns false. Returns whether all were visited.
    @discardableResult
    func forEach(_ body: (WireKey, Node) throws -> Bool) rethrows -> Bool {
        var cursor = Cursor(self)
        while let (key, child) = cursor.next() { guard try body(key, child) else { return false } }
        return true
    }

    /// Walks the children in byte order of their keys.
    struct Cursor: Sendable {
        private var blocks: SortedPages<Block>.Cursor
        private var packed: (children: PackedChildren, next: Int)?

        init(_ children: Children) { blocks = SortedPages<Block>.Cursor(children.blocks) }

        /// Starts at the first key that is not below `key`.
        init(_ children: Children, from key: WireKey) {
            blocks = SortedPages<Block>.Cursor(children.blocks, from: key)
            switch blocks.next()?.value {
            case .packed(let children): packed = (children, children.place(of: key).index)
            case .branch(let own, _) where own < key: break
            case .branch, nil: blocks = SortedPages<Block>.Cursor(children.blocks, from: key)
            }
        }

        mutating func next() -> (key: WireKey, value: Node)? {
            while true {
                if let (children, place) = packed {
                    if place < children.count {
                        packed?.next += 1
                        return (children.key(place), children.node(place))
                    }
                    packed = nil
                }
                switch blocks.next()?.value {
                case .packed(let children): packed = (children, 0)
                case .branch(let key, let children): return (key, .branch(children))
                case nil: return nil
                }
            }
        }
    }

    /// Walks the children backwards.
    struct BackCursor: Sendable {
        private var blocks: SortedPages<Block>.BackCursor
        private var packed: (children: PackedChildren, next: Int)?
        private let end: WireKey?

        /// - Parameter key: where to start, at the last key that is not above it; nil for the end.
        init(_ children: Children, from key: WireKey?) {
            blocks = SortedPages<Block>.BackCursor(children.blocks, from: key)
            end = key
        }

        mutating func next() -> (key: WireKey, value: Node)? {
            while true {
                if let (children, place) = packed, place >= 0 {
                    packed?.next -= 1
                    return (children.key(place), children.node(place))
                }
                packed = nil
                switch blocks.next()?.value {
                case .packed(let children): packed = (children, last(of: children))
                case .branch(let key, let children):
                    if let end, end < key { continue }
                    return (key, .branch(children))
                case nil: return nil
                }
            }
        }

        /// The last one that is not behind the start.
        private func last(of children: PackedChildren) -> Int {
            guard let end else { return children.count - 1 }
            let (index, isThere) = children.place(of: end)
            return isThere ? index : index - 1
        }
    }
}
