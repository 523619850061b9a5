internal import FirebaseWire

/// The children of one place in the order of a query, kept up with every write. In `$key` order only those are kept whose
/// keys are numbers: all others stand in the order of the tree itself.
///
/// A value like the tree itself: a copy costs nothing, and one change costs the pages on the way to it.
struct OrderedIndex: Sendable {
    private let query: Query
    /// By the codes of their positions; what is stored there says nothing.
    private var entries = Children()

    /// An index of no children.
    init(_ order: Query.Order) { query = Query(order) }

    /// How many are put in together.
    private static let batch = 65_536

    /// An index of all children of `node`.
    init(_ order: Query.Order, of node: Node) {
        self.init(order)
        var waiting: [LoadedChild] = []
        node.forEachChild { key, child in
            guard holds(key) else { return true }
            waiting.append(LoadedChild(key: code(key, child), row: 0, text: []))
            if waiting.count == OrderedIndex.batch { put(&waiting) }
            return true
        }
        put(&waiting)
    }

    private mutating func put(_ waiting: inout [LoadedChild]) {
        _ = entries.insert(waiting.sorted { $0.key < $1.key }[...])
        waiting = []
    }

    var count: Int { entries.count }

    private func holds(_ key: WireKey) -> Bool { query.order != .key || key.orderNumber != nil }

    /// Takes in that a child has changed; nil where there is none.
    mutating func replace(_ key: WireKey, _ old: Node?, with new: Node?) {
        guard holds(key) else { return }
        let (before, after) = (old.map { code(key, $0) }, new.map { code(key, $0) })
        guard before != after else { return }
        if let before { entries.update(before) { $0 = nil } }
        if let after { entries.update(after) { $0 = .packed(row: 0, text: []) } }
    }

    private func code(_ key: WireKey, _ child: Node) -> WireKey { PositionCode.code(child.position(key, in: query)) }

    /// The children that `query` selects of `parent`, which are those of this index.
    func selected(
        by query: Query, of parent: Node, check: () throws -> Void
    ) rethrows -> [(key: WireKey, value: Node)] {
        var walk = Walk(query, parent)
        if query.limit?.fromEnd == true {
            var cursor = Children.BackCursor(entries, from: query.upper.map { place($0, isStart: false) })
            while let (code, _) = cursor.next(), walk.take(code) { try check() }
        } else {
            let start = query.lower.map { place($0, isStart: true) }
            var cursor = Children.Cursor(entries, from: start ?? WireKey(unchecked: ""))
            while let (code, _) = cursor.next(), walk.take(code) { try check() }
        }
        return walk.result
    }

    /// Where everything begins, or ends, that a bound lets in; not more precise than a code is.
    private func place(_ bound: Query.Bound, isStart: Bool) -> WireKey {
        if query.order == .key, case .string(let key) = bound.value {
            return PositionCode.code(Query.Position(value: .null, key: WireKey(unchecked: key)))
        }
        let value = PositionCode.value(bound.value)
        if !PositionCode.isCut(bound.value) {
            if let key = bound.key { return WireKey(unchecked: value + PositionCode.key(key)) }
            if bound.inclusive != isStart { return PositionCode.behind(value) }
        } else if !isStart {
            return PositionCode.behind(value)
        }
        return WireKey(unchecked: value)
    }

    /// Gathers children in the order of an index, from one end of a window on.
    private struct Walk {
        private let query: Query
        private let parent: Node
        private let isBackwards: Bool
        private let wanted: Int
        private var found: [(position: Query.Position, value: Node)] = []
        /// The cut value whose children came last, and where they begin.
        private var run: (value: Substring, start: Int)?

        init(_ query: Query, _ parent: Node) {
            self.query = query
            self.parent = parent
            isBackwards = query.limit?.fromEnd == true
            wanted = query.limit?.count ?? .max
        }

        var result: [(key: WireKey, value: Node)] {
            var walk = self
            walk.endRun()
            return walk.found.prefix(wanted).map { ($0.position.key, $0.value) }
        }

        /// False where nothing that follows is wanted.
        mutating func take(_ code: WireKey) -> Bool {
            let (value, key) = PositionCode.parts(code)
            if let run, run.value != value { endRun() }
            guard run != nil || found.count < wanted else { return false }
            guard let node = parent.descend([key]) else { return true }
            let position = node.position(key, in: query)
            if PositionCode.isCut(position.value), run == nil { run = (value, found.count) }
            guard query.admits(position) else {
                return run != nil || !query.isBehind(position, isBackwards: isBackwards)
            }
            found.append((position, node))
            return true
        }

        /// Puts those whose codes are alike in their order.
        private mutating func endRun() {
            guard let start = run?.start else { return }
            run = nil
            found[start...].sort { left, right in
                isBackwards
                    ? query.precedes(right.position, left.position) : query.precedes(left.position, right.position)
            }
        }
    }
}
