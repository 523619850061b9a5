internal import DatabaseTree
internal import FirebaseWire

/// What a query with a limit selects, kept up to date from change to change.
struct QueryWindow: Sendable {
    private let query: Query
    private let count: Int
    /// In the query's order.
    private var positions: [Query.Position]
    private(set) var keys: Set<WireKey>

    /// - Parameter children: what the query selects; nil where that is nothing.
    init(_ query: Query, of children: Node?) {
        self.query = query
        count = query.limit?.count ?? .max
        var positions: [Query.Position] = []
        children?.forEachChild { key, child in
            positions.append(child.position(key, in: query))
            return true
        }
        self.positions = positions.sorted(by: query.precedes)
        keys = Set(positions.map(\.key))
    }

    /// Takes in that the children `touched` of `parent` have changed.
    ///
    /// Costs no more than the window has children; where one has left that another may take the place of, the children
    /// of `parent` are asked for who that is.
    ///
    /// - Parameter reselected: what is selected now, where it must be looked for.
    mutating func follow(_ touched: Set<WireKey>, in parent: Node?, reselected: () -> Node?) {
        for key in touched {
            let child = parent?.descend([key])
            let place = child.map { $0.position(key, in: query) }.flatMap { query.admits($0) ? $0 : nil }
            guard update(key, place) else {
                self = QueryWindow(query, of: reselected())
                return
            }
        }
    }

    /// False where only a look at the other children can tell what is selected now.
    ///
    /// With several keys in turn, places that have yet to be updated do no harm: while the window is full its worst
    /// place never gets worse, so whatever was left out stays out.
    private mutating func update(_ key: WireKey, _ place: Query.Position?) -> Bool {
        let wasFull = positions.count >= count
        if keys.contains(key) {
            positions.removeAll { $0.key == key }
            keys.remove(key)
            guard let place else { return !wasFull }
            if wasFull, isWorst(place) { return false }
            insert(place)
        } else if let place {
            if wasFull {
                guard !isWorst(place) else { return true }
                keys.remove((isFromEnd ? positions.removeFirst() : positions.removeLast()).key)
            }
            insert(place)
        }
        return true
    }

    private var isFromEnd: Bool { query.limit?.fromEnd == true }

    private func isWorst(_ place: Query.Position) -> Bool {
        guard let worst = isFromEnd ? positions.first : positions.last else { return true }
        return isFromEnd ? query.precedes(place, worst) : query.precedes(worst, place)
    }

    private mutating func insert(_ place: Query.Position) {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if query.precedes(place, positions[middle]) { high = middle } else { low = middle + 1 }
        }
        positions.insert(place, at: low)
        keys.insert(place.key)
    }
}
