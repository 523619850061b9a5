package import FirebaseWire

/// Which children of a node a request wants: an order, a window in it, and a limit.
package struct Query: Hashable, Sendable {
    package enum Order: Hashable, Sendable {
        case key
        case value
        /// None, then numbers, then strings; ties by key.
        case priority
        /// The value at a path below each child.
        case child(WirePath)
    }

    /// One end of the window.
    package struct Bound: Hashable, Sendable {
        package var value: SortValue
        /// Decides between children of equal value.
        package var key: WireKey?
        package var inclusive: Bool

        package init(_ value: SortValue, key: WireKey? = nil, inclusive: Bool = true) {
            self.value = value
            self.key = key
            self.inclusive = inclusive
        }
    }

    package struct Limit: Hashable, Sendable {
        package var count: Int
        package var fromEnd: Bool

        package init(_ count: Int, fromEnd: Bool = false) {
            self.count = count
            self.fromEnd = fromEnd
        }
    }

    /// Where a child stands in the query's order.
    package struct Position: Hashable, Sendable {
        /// Does not matter in the order of keys.
        package let value: SortValue
        package let key: WireKey

        package init(value: SortValue, key: WireKey) {
            self.value = value
            self.key = key
        }
    }

    package var order: Order
    package var lower: Bound?
    package var upper: Bound?
    package var limit: Limit?

    package init(_ order: Order, from lower: Bound? = nil, to upper: Bound? = nil, limit: Limit? = nil) {
        self.order = order
        self.lower = lower
        self.upper = upper
        self.limit = limit
    }
}

extension Query {
    /// Whether there is a bound or a limit.
    package var isBounded: Bool { lower != nil || upper != nil || limit != nil }

    /// Whether `position` is inside the window; limits are not looked at.
    package func admits(_ position: Position) -> Bool {
        if let lower {
            let order = order(position, lower)
            if order < 0 || (order == 0 && !lower.inclusive) { return false }
        }
        if let upper {
            let order = order(position, upper)
            if order > 0 || (order == 0 && !upper.inclusive) { return false }
        }
        return true
    }

    /// Whether `position` is behind the far end of the window.
    func isBehind(_ position: Position, isBackwards: Bool) -> Bool {
        guard let end = isBackwards ? lower : upper else { return false }
        let order = order(position, end)
        return isBackwards ? order < 0 || (order == 0 && !end.inclusive) : order > 0 || (order == 0 && !end.inclusive)
    }

    /// The order of two children: by value, then by key.
    package func precedes(_ left: Position, _ right: Position) -> Bool {
        if order != .key {
            let order = SortValue.order(left.value, right.value)
            if order != 0 { return order < 0 }
        }
        return WireKey.precedesInKeyOrder(left.key, right.key)
    }

    private func order(_ position: Position, _ bound: Bound) -> Int {
        if order == .key {
            guard case .string(let text) = bound.value else { return 1 }
            return keyOrder(position.key, WireKey(unchecked: text))
        }
        let order = SortValue.order(position.value, bound.value)
        if order != 0 { return order }
        return bound.key.map { keyOrder(position.key, $0) } ?? 0
    }

    private func keyOrder(_ left: WireKey, _ right: WireKey) -> Int {
        left == right ? 0 : WireKey.precedesInKeyOrder(left, right) ? -1 : 1
    }
}
