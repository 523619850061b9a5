package import FirebaseWire

/// A large write that is made ready beside the writer: a tree that has it, and rows of its own for that.
///
/// While it is made and stored others write on. It follows them, so that at its turn there is next to nothing to do: its
/// tree is then what it would have made of theirs.
package struct Draft: Sendable {
    package typealias Entry = (path: WirePath, value: Node?)

    /// No more is done anew at once.
    private static let limit = 64

    /// With all that was followed.
    package private(set) var after: Root
    package private(set) var rows: RowChanges
    /// In order; none is above another.
    private let entries: [Entry]
    /// Whether what it stores depends on what was there.
    private let isRelative: Bool
    /// What it has followed up to now.
    private var seen: Root
    private let indexes: Int

    /// - Parameters:
    ///   - entries: with their whole paths, in order, none above another; each value not stored yet, nil deletes.
    ///   - isRelative: whether values depend on what was there in `before`.
    package init(
        _ entries: [Entry], hasPriorities: Bool, isRelative: Bool, on before: Root, numbers: RowNumbers
    ) {
        self.entries = entries
        self.isRelative = isRelative
        after = before
        seen = before
        rows = .draft(numbers)
        indexes = before.indexes.generation
        after.hasPriorities = after.hasPriorities || hasPriorities
        for (path, value) in entries { _ = after.set(path, to: value, &rows) }
    }

    /// The changes of rows since the last call, in order.
    package mutating func takenRows() -> [RowChange] { rows.taken() }

    /// Takes in what others have written since this was made or has followed last.
    ///
    /// - Parameters:
    ///   - written: all places that were written, in any order.
    ///   - now: has all of that, and nothing else.
    /// - Returns: false where it must be made anew; it is of no more use then.
    package mutating func follow(_ written: [WirePath], to now: Root) -> Bool {
        guard now.indexes.generation == indexes else { return false }
        guard !written.isEmpty else { return true }
        // A priority goes and comes with what is beside it.
        guard !after.hasPriorities, !now.hasPriorities else { return false }
        defer { seen = now }
        var redone: Set<WirePath> = []
        return Set(written).allSatisfy { follow($0, now, &redone) }
    }

    /// - Parameter redone: the places at which this is up to date already.
    private mutating func follow(_ path: WirePath, _ now: Root, _ redone: inout Set<WirePath>) -> Bool {
        guard let depth = commonDepth(path, now) else { return true }
        let place = WirePath(path.keys[..<depth])
        if let entry = entry(at: path), entry.path.keys.count <= depth {
            return !isRelative && keepOwn(entry, path, now)
        }
        let range = entries(below: place)
        if range.isEmpty {
            _ = after.graft(now.value(at: place), at: place)
            return true
        }
        guard redone.insert(place).inserted else { return true }
        return !isRelative && range.count <= Draft.limit && redone.count <= Draft.limit && redo(range, at: place, now)
    }

    /// Down to where nothing is packed on the way along `path`, here or there, now or before; nil where there is nothing.
    private func commonDepth(_ path: WirePath, _ now: Root) -> Int? {
        var (mine, its, old) = (after.node, now.node, seen.node)
        for (depth, key) in path.keys.enumerated() {
            switch (mine, its, old) {
            case (nil, nil, _): return nil
            case (.packed, _, _), (_, .packed, _), (_, _, .packed): return depth
            default: (mine, its, old) = (mine?.descend([key]), its?.descend([key]), old?.descend([key]))
            }
        }
        return path.keys.count
    }

    /// What others wrote where this one writes over it goes.
    private mutating func keepOwn(_ entry: Entry, _ path: WirePath, _ now: Root) -> Bool {
        if case .packed(let row, let text)? = after.value(at: entry.path), !rows.isOwn(row) {
            // The same as was there before; the row has something else now.
            let own = rows.put(row, after.database, entry.path, text)
            _ = after.graft(.packed(row: own, text: text), at: entry.path)
        }
        var (node, old) = (now.value(at: entry.path), seen.value(at: entry.path))
        for key in path.keys[entry.path.keys.count...] {
            // What was packed has become several rows, not only on the way.
            guard case .branch = node, case .branch = old else { break }
            (node, old) = (node?.descend([key]), old?.descend([key]))
        }
        node?.forEachRow { rows.remove($0) }
        return true
    }

    /// Writes some entries anew, upon what others have written.
    private mutating func redo(_ range: Range<Int>, at place: WirePath, _ now: Root) -> Bool {
        let node = now.value(at: place)
        if case .branch(let children)? = node, children.count > Draft.limit { return false }
        let old = after.graft(node, at: place)
        old?.forEachRow { if rows.isOwn($0) { rows.remove($0) } }
        node?.forEachRow { rows.keep($0) }
        for (path, value) in entries[range] { _ = after.set(path, to: value, &rows) }
        return true
    }

    // MARK: Entries

    /// The entry at `path` or above it.
    private func entry(at path: WirePath) -> Entry? {
        let end = entries.indices.partitionPoint { path < entries[$0].path }
        return end > 0 && entries[end - 1].path.contains(path) ? entries[end - 1] : nil
    }

    private func entries(below place: WirePath) -> Range<Int> {
        let start = entries.indices.partitionPoint { !(entries[$0].path < place) }
        return start..<(start..<entries.count).partitionPoint { !place.contains(entries[$0].path) }
    }
}

extension Node {
    /// The numbers of all rows it is stored in.
    fileprivate func forEachRow(_ body: (Int64) -> Void) {
        switch self {
        case .packed(let row, _): body(row)
        case .branch(let children):
            children.forEach { _, child in
                child.forEachRow(body)
                return true
            }
        }
    }
}
