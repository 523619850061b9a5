package import FirebaseWire

/// The indexes of a database.
struct RootIndexes: Sendable {
    private enum State: Sendable {
        case ready(OrderedIndex)
        /// Is made elsewhere of what was there at this generation; these children have changed since.
        case building(Int, changed: Set<WireKey>)

        /// Takes in that a child has changed. What this holds is let go of meanwhile, so that none of it is copied.
        mutating func replace(_ key: WireKey, _ old: Node?, with new: Node?) {
            switch self {
            case .ready(var index):
                self = .building(0, changed: [])
                index.replace(key, old, with: new)
                self = .ready(index)
            case .building(let number, var changed):
                self = .building(number, changed: [])
                changed.insert(key)
                self = .building(number, changed: changed)
            }
        }
    }

    private var places: [WirePath: [Query.Order: State]] = [:]
    /// Is another one whenever an index was begun or finished.
    private(set) var generation = 0

    var count: Int { places.values.reduce(0) { $0 + $1.count } }

    func ready(_ order: Query.Order, at path: WirePath) -> OrderedIndex? {
        guard case .ready(let index)? = places[path]?[order] else { return nil }
        return index
    }

    func isKnown(_ order: Query.Order, at path: WirePath) -> Bool { places[path]?[order] != nil }

    mutating func begin(_ order: Query.Order, at path: WirePath) {
        generation += 1
        places[path, default: [:]][order] = .building(generation, changed: [])
    }

    /// The generation at which an index was begun that is waited for; nil where none is.
    func beginning(of order: Query.Order, at path: WirePath) -> Int? {
        guard case .building(let number, _)? = places[path]?[order] else { return nil }
        return number
    }

    /// Takes an index, brought up to what is there now; nothing happens where it is not waited for any more: what it was made
    /// of may have been written as a whole since, and another one been begun.
    mutating func finish(_ made: MadeIndex, now: Node?) {
        guard case .building(made.number, let changed)? = places[made.path]?[made.order] else { return }
        generation += 1
        var index = made.index
        for key in changed { index.replace(key, made.before.descend([key]), with: now?.descend([key])) }
        places[made.path]?[made.order] = .ready(index)
    }

    /// The children whose change an index must hear of, with the place they are children of, where `path` is written.
    func children(touchedBy path: WirePath) -> [(parent: WirePath, key: WireKey)] {
        guard !places.isEmpty else { return [] }
        return path.keys.indices.compactMap { index in
            let parent = WirePath(path.keys[..<index])
            return places[parent] == nil || path.keys[index].isPseudo ? nil : (parent, path.keys[index])
        }
    }

    mutating func replace(_ key: WireKey, at parent: WirePath, _ old: Node?, with new: Node?) {
        let orders = places[parent].map { Array($0.keys) } ?? []
        for order in orders { places[parent]?[order]?.replace(key, old, with: new) }
    }

    /// Forgets what is about a place at or below `path`, which is written as a whole.
    mutating func forget(below path: WirePath) {
        guard places.keys.contains(where: path.contains) else { return }
        places = places.filter { !path.contains($0.key) }
    }
}

extension Root {
    /// With fewer children it takes no index to look at them all.
    package static let minIndexed = 1024

    /// Whether a query of this order at `path` would be quicker with an index that is not there yet.
    package func wantsIndex(_ order: Query.Order, at path: WirePath) -> Bool {
        !indexes.isKnown(order, at: path) && isWorthIndex(order, at: path)
    }

    private func isWorthIndex(_ order: Query.Order, at path: WirePath) -> Bool {
        guard case .branch(let children)? = value(at: path), children.count > Root.minIndexed else { return false }
        return order != .key || children.mayHaveNumbers
    }

    /// Whether the children at `path` can be read in this order.
    package func isOrdered(_ order: Query.Order, at path: WirePath) -> Bool {
        indexes.ready(order, at: path) != nil || (order == .key && !isWorthIndex(order, at: path))
    }

    /// How many indexes there are.
    package var indexCount: Int { indexes.count }

    /// Notes what changes from now on, until ``finishIndex(_:)``.
    package mutating func beginIndex(_ order: Query.Order, at path: WirePath) { indexes.begin(order, at: path) }

    /// Makes the index that ``beginIndex(_:at:)`` has announced; takes long.
    package func madeIndex(_ order: Query.Order, at path: WirePath) -> MadeIndex? {
        guard let number = indexes.beginning(of: order, at: path), let before = value(at: path) else { return nil }
        return MadeIndex(
            order: order, path: path, number: number, before: before, index: OrderedIndex(order, of: before))
    }

    /// Puts an index in use.
    package mutating func finishIndex(_ made: MadeIndex) {
        indexes.finish(made, now: value(at: made.path))
    }

    /// The children at `path` that `query` selects.
    ///
    /// - Parameter check: is called again and again while this goes on, and may throw to end it.
    package func selected(
        at path: WirePath, by query: Query, check: () throws -> Void
    ) rethrows -> [(key: WireKey, value: Node)] {
        guard let node = value(at: path) else { return [] }
        let index = indexes.ready(query.order, at: path)
        if let index, query.order != .key { return try index.selected(by: query, of: node, check: check) }
        return try node.selected(by: query, numbers: index, check: check)
    }

    /// What `query` shows of the node at `path`; all of it without one. A leaf has no children to select from; without any
    /// bound nothing is left out.
    ///
    /// - Parameter check: as in ``selected(at:by:check:)``.
    package func shown(
        _ node: Node?, at path: WirePath, by query: Query?, check: () throws -> Void
    ) rethrows -> Node? {
        guard let query, let node, node.leaf == nil || query.isBounded else { return node }
        return Node(children: try selected(at: path, by: query, check: check))
    }

    /// Takes the indexes away, from a tree that is never stored.
    package mutating func forgetIndexes() { indexes = RootIndexes() }
}

/// An index that is made and not in use yet.
package struct MadeIndex: Sendable {
    let order: Query.Order
    let path: WirePath
    /// The generation at which it was begun.
    let number: Int
    let before: Node
    let index: OrderedIndex
}
