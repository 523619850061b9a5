internal import DatabaseTree
internal import FirebaseWire

/// What a query with a limit selects, kept up to date from change to change.
struct QueryWindow: Sendable {
    /// Who has come into a window, and who has left it.
    struct Movement: Sendable {
        private(set) var entered: Set<WireKey> = []
        private(set) var left: Set<WireKey> = []

        fileprivate mutating func enter(_ key: WireKey) {
            if left.remove(key) == nil { entered.insert(key) }
        }

        fileprivate mutating func leave(_ key: WireKey) {
            if entered.remove(key) == nil { left.insert(key) }
        }
    }

    private let query: Query
    private let count: Int
    /// In the query's order.
    private var positions: [Query.Position]
    private var places: [WireKey: Query.Position]

    /// With more places to change at once, all are looked at.
    private static let few = 16

    /// - Parameter children: what the query selects.
    init(_ query: Query, of children: [(key: WireKey, value: Node)]) {
        self.query = query
        count = query.limit?.count ?? .max
        positions = children.map { $0.value.position($0.key, in: query) }.sorted(by: query.precedes)
        places = Dictionary(positions.lazy.map { ($0.key, $0) }) { $1 }
    }

    var keys: some Collection<WireKey> { places.keys }

    func contains(_ key: WireKey) -> Bool { places[key] != nil }

    /// Takes in that the children `touched` of `parent` have changed.
    ///
    /// - Parameter select: what another query selects of the children of `parent`. Is asked where some have left whose
    ///   places others may take, and for no more than these.
    /// - Returns: who is in the window now and was not, and the other way round.
    mutating func follow(
        _ touched: Set<WireKey>, in parent: Node?, select: (Query) -> [(key: WireKey, value: Node)]
    ) -> Movement {
        // All who are behind it, but for those that have changed, stay out as long as the window is full.
        let edge = positions.count >= count ? worst : nil
        var movement = Movement()
        remove(touched.compactMap { places[$0] }, &movement)
        insert(
            touched.compactMap { key in
                guard let place = parent?.descend([key])?.position(key, in: query), query.admits(place) else {
                    return nil
                }
                return edge.map { isBetter($0, than: place) } == true ? nil : place
            }, &movement)
        if positions.count > count {
            remove(Array(isFromEnd ? positions.dropLast(count) : positions.dropFirst(count)), &movement)
        } else if let edge, positions.count < count {
            let next = query.beyond(edge, limit: count - positions.count)
            insert(select(next).map { $0.value.position($0.key, in: query) }, &movement)
        }
        return movement
    }

    private var isFromEnd: Bool { query.limit?.fromEnd == true }

    private var worst: Query.Position? { isFromEnd ? positions.first : positions.last }

    private func isBetter(_ left: Query.Position, than right: Query.Position) -> Bool {
        isFromEnd ? query.precedes(right, left) : query.precedes(left, right)
    }

    /// - Parameter old: of these positions all are there.
    private mutating func remove(_ old: [Query.Position], _ movement: inout Movement) {
        for position in old {
            places[position.key] = nil
            movement.leave(position.key)
        }
        if old.count > QueryWindow.few {
            positions.removeAll { places[$0.key] == nil }
        } else {
            for position in old { positions.remove(at: index(of: position)) }
        }
    }

    /// - Parameter new: of these keys none is there.
    private mutating func insert(_ new: [Query.Position], _ movement: inout Movement) {
        for position in new {
            places[position.key] = position
            movement.enter(position.key)
        }
        if new.count > QueryWindow.few {
            positions = (positions + new).sorted(by: query.precedes)
        } else {
            for position in new { positions.insert(position, at: index(of: position)) }
        }
    }

    /// Where it stands, or would stand.
    private func index(of position: Query.Position) -> Int {
        positions.indices.partitionPoint { !query.precedes(positions[$0], position) }
    }
}

extension Query {
    /// What comes next behind an edge of what this selects, as far as it selects anything there.
    fileprivate func beyond(_ edge: Position, limit count: Int) -> Query {
        var query = self
        let isFromEnd = limit?.fromEnd == true
        let bound =
            order == .key
            ? Bound(.string(edge.key.text), inclusive: false) : Bound(edge.value, key: edge.key, inclusive: false)
        if isFromEnd { query.upper = bound } else { query.lower = bound }
        query.limit = Limit(count, fromEnd: isFromEnd)
        return query
    }
}
