internal import FirebaseWire

extension Children {
    /// Inserts many children at once, in ascending order of their keys; each block on the way is made once.
    ///
    /// - Returns: the row of the first one at whose key there is something; nil where all are inserted.
    mutating func insert(_ new: ArraySlice<LoadedChild>) -> Int64? {
        var rest = new
        while let first = rest.first {
            let (separator, block, end) = blocks.surroundings(of: first.key)
            let group = end.map { end in rest.prefix { $0.key < end } } ?? rest
            rest = rest[group.endIndex...]
            if case .branch? = block {
                if let row = insertSingly(group) { return row }
                continue
            }
            var merging = Merging()
            if case .packed(let present)? = block { merging = Merging(present) }
            for child in group { guard merging.append(child) else { return child.row } }
            count += group.count
            set(merging.finished, at: separator)
        }
        return nil
    }

    private mutating func insertSingly(_ new: ArraySlice<LoadedChild>) -> Int64? {
        for child in new {
            let isFree = update(child.key) { slot in
                guard slot == nil else { return false }
                slot = .packed(row: child.row, text: child.text)
                return true
            }
            guard isFree else { return child.row }
        }
        return nil
    }
}

/// Merges the children of a block with new ones into blocks that have room for more.
private struct Merging {
    private let present: PackedChildren?
    /// The first child of the present ones that is not taken yet.
    private var next = 0
    private var pieces: [PackedChildren.Piece] = []
    private var last: WireKey?

    init(_ present: PackedChildren? = nil) { self.present = present }

    /// False where there is a child of this key.
    mutating func append(_ child: LoadedChild) -> Bool {
        guard child.key != last else { return false }
        last = child.key
        if let present {
            let (place, isThere) = present.place(of: child.key)
            guard !isThere else { return false }
            keep(present, upTo: place)
        }
        pieces.append(.child(child.key, row: child.row, text: child.text))
        return true
    }

    private mutating func keep(_ present: PackedChildren, upTo end: Int) {
        while next < end {
            pieces.append(.kept(present, next..<(next + 1)))
            next += 1
        }
    }

    /// The blocks of all of them, of about one size.
    var finished: [Block] {
        var all = self
        if let present { all.keep(present, upTo: present.count) }
        let size = all.pieces.reduce(0) { $0 + $1.size }
        let count = size <= Block.maxSize ? 1 : (size * 4 + Block.maxSize * 3 - 1) / (Block.maxSize * 3)
        var blocks: [Block] = []
        var start = 0
        var taken = 0
        for (index, piece) in all.pieces.enumerated() {
            taken += piece.size
            guard taken * count >= size * (blocks.count + 1) || index + 1 == all.pieces.count else { continue }
            blocks.append(.packed(PackedChildren(Array(all.pieces[start...index]))))
            start = index + 1
        }
        return blocks
    }
}
