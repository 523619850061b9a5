package import FirebaseWire

extension Node {
    /// The children that `query` selects.
    ///
    /// Looks at every child once and sorts only for a limit; a page from the start of `$key` order costs no more than
    /// itself, as long as few keys are numbers.
    ///
    /// - Parameter check: is called again and again while this goes on, and may throw to end it.
    package func selected(
        by query: Query, check: () throws -> Void
    ) rethrows -> [(key: WireKey, value: Node)] {
        try selected(by: query, numbers: nil, check: check)
    }

    /// - Parameter numbers: the index of the children whose keys are numbers, where there is one.
    func selected(
        by query: Query, numbers: OrderedIndex?, check: () throws -> Void
    ) rethrows -> [(key: WireKey, value: Node)] {
        if case .branch(let pages) = self, query.order == .key {
            let window = KeyWindow(query, pages, numbers.map { ($0, self) })
            let found =
                try query.limit?.fromEnd == true
                ? window.lastChildren(check: check) : window.children(check: check)
            if let found { return found }
        }
        var found = SelectedChildren(query)
        var count = 0
        try forEachChild { key, child in
            count += 1
            if count.isMultiple(of: 1024) { try check() }
            found.offer(key, child)
            return true
        }
        return found.result
    }

    /// The children that `query` selects, without an end to the time it may take.
    package func selected(by query: Query) -> [(key: WireKey, value: Node)] { selected(by: query, check: {}) }

    /// Whether `query` without its limit selects a child `key` with this value.
    package static func isAdmitted(_ key: WireKey, _ value: Node?, by query: Query) -> Bool {
        guard let value else { return false }
        return query.admits(value.position(key, in: query))
    }

    /// A node of these children; nil without any.
    package init?(children: [(key: WireKey, value: Node)]) {
        guard !children.isEmpty else { return nil }
        var pages = Children()
        for (key, child) in children { pages.update(key) { $0 = child } }
        self = .branch(pages)
    }

    /// Where this child stands in the query's order.
    package func position(_ key: WireKey, in query: Query) -> Query.Position {
        switch query.order {
        case .key: .init(value: .null, key: key)
        case .value: .init(value: sortValue, key: key)
        case .priority: .init(value: sortValue(at: [.priority]), key: key)
        case .child(let path): .init(value: sortValue(at: path.keys[...]), key: key)
        }
    }

    private func sortValue(at path: ArraySlice<WireKey>) -> SortValue {
        switch self {
        case .packed(_, let text): SortValue(CanonicalText.value(at: path, in: text[...]))
        case .branch: descend(path)?.sortValue ?? .null
        }
    }

    private var sortValue: SortValue {
        switch self {
        case .packed(_, let text): SortValue(text[...])
        case .branch(let pages): pages[.value]?.sortValue ?? .object
        }
    }
}

/// Gathers the children that a query selects, of those it is offered in any order.
private struct SelectedChildren {
    private typealias Child = (position: Query.Position, value: Node)

    private let query: Query
    private var found: [Child] = []
    /// With a limit: a place that is not better than this one is out.
    private var worst: Query.Position?

    init(_ query: Query) { self.query = query }

    mutating func offer(_ key: WireKey, _ child: Node) {
        let position = child.position(key, in: query)
        guard query.admits(position) else { return }
        if let worst, !isBetter(position, than: worst) { return }
        found.append((position, child))
        if let limit = query.limit, found.count >= 2 * limit.count + 64 { cut(to: limit.count) }
    }

    var result: [(key: WireKey, value: Node)] {
        var kept = self
        if let limit = query.limit, found.count > limit.count { kept.cut(to: limit.count) }
        return kept.found.map { ($0.position.key, $0.value) }
    }

    private mutating func cut(to count: Int) {
        found = Array(found.sorted { isBetter($0.position, than: $1.position) }.prefix(count))
        worst = found.last?.position
    }

    private func isBetter(_ left: Query.Position, than right: Query.Position) -> Bool {
        query.limit?.fromEnd == true ? query.precedes(right, left) : query.precedes(left, right)
    }
}

/// A window in `$key` order, read from its start: keys that are numbers first, then the others, which stand in the order
/// of the pages.
private struct KeyWindow {
    private let query: Query
    private let pages: Children
    private let index: (numbers: OrderedIndex, parent: Node)?

    /// - Parameter index: that of the children whose keys are numbers; without one they are looked for.
    init(_ query: Query, _ pages: Children, _ index: (numbers: OrderedIndex, parent: Node)?) {
        self.query = query
        self.pages = pages
        self.index = index
    }

    /// Nil where the order of the pages is not that of the query, which only characters at the end of Unicode make so.
    func children(check: () throws -> Void) rethrows -> [(key: WireKey, value: Node)]? {
        if let start, UTF16Order.mayDiffer(start.text) { return nil }
        var found: [(key: WireKey, value: Node)] = []
        if !startsBehindNumbers { found = try numbers(check: check) }
        let wanted = query.limit?.count ?? Int.max
        if found.count > wanted { found.removeSubrange(wanted...) }
        if endsInNumbers { return found }
        var cursor = Children.Cursor(pages, from: start ?? WireKey(unchecked: ""))
        var count = 0
        while found.count < wanted, let (key, child) = cursor.next() {
            count += 1
            if count.isMultiple(of: 1024) { try check() }
            if key.isPseudo || key.orderNumber != nil { continue }
            if UTF16Order.mayDiffer(key.text) { return nil }
            if query.admits(.init(value: .null, key: key)) {
                found.append((key, child))
            } else if isPast(key) {
                break
            }
        }
        return found
    }

    /// The same for a limit from the end, which is looked for backwards.
    func lastChildren(check: () throws -> Void) rethrows -> [(key: WireKey, value: Node)]? {
        var found: [(key: WireKey, value: Node)] = []
        let wanted = query.limit?.count ?? Int.max
        if !endsInNumbers {
            var end: WireKey?
            if case .string(let text)? = query.upper?.value { end = WireKey(unchecked: text) }
            if let end, UTF16Order.mayDiffer(end.text) { return nil }
            var cursor = Children.BackCursor(pages, from: end)
            // Where all that are no numbers were seen, nobody looks through those that are.
            var others = index.map { pages.count - $0.numbers.count } ?? .max
            while found.count < wanted, others > 0, let (key, child) = cursor.next() {
                if key.orderNumber != nil { continue }
                others -= 1
                if key.isPseudo { continue }
                if UTF16Order.mayDiffer(key.text) { return nil }
                let position = Query.Position(value: .null, key: key)
                if query.admits(position) {
                    found.append((key, child))
                } else if query.isBehind(position, isBackwards: true) {
                    break
                }
            }
        }
        if found.count < wanted, !startsBehindNumbers {
            found += try numbers(check: check).prefix(wanted - found.count)
        }
        return found
    }

    /// Those whose keys are numbers, as many as the query wants at least: the ones first that it wants most.
    private func numbers(check: () throws -> Void) rethrows -> [(key: WireKey, value: Node)] {
        if let index { return try index.numbers.selected(by: query, of: index.parent, check: check) }
        var found: [(key: WireKey, value: Node)] = []
        for (first, end) in Children.numbers {
            var cursor = Children.Cursor(pages, from: first)
            while let (key, child) = cursor.next(), key < end {
                if key.orderNumber != nil, query.admits(.init(value: .null, key: key)) { found.append((key, child)) }
                if found.count.isMultiple(of: 1024) { try check() }
            }
        }
        found.sort { WireKey.precedesInKeyOrder($0.key, $1.key) }
        return query.limit?.fromEnd == true ? found.reversed() : found
    }

    private var start: WireKey? {
        guard case .string(let text)? = query.lower?.value else { return nil }
        let key = WireKey(unchecked: text)
        return key.orderNumber == nil ? key : nil
    }

    private var startsBehindNumbers: Bool { start != nil }

    private var endsInNumbers: Bool {
        guard case .string(let text)? = query.upper?.value else { return false }
        return WireKey(unchecked: text).orderNumber != nil
    }

    /// Whether `key`, which is no number, and every other such key after it is behind the window.
    private func isPast(_ key: WireKey) -> Bool {
        guard let upper = query.upper else { return false }
        return !Query(.key, to: upper).admits(.init(value: .null, key: key))
    }
}

extension Children {
    /// Between these all keys stand that are numbers.
    fileprivate static let numbers = [("-0", "-:"), ("0", ":")].map {
        (first: WireKey(unchecked: $0), end: WireKey(unchecked: $1))
    }

    /// Whether there may be keys that are numbers.
    var mayHaveNumbers: Bool {
        Children.numbers.contains { first, end in
            var cursor = Cursor(self, from: first)
            return cursor.next().map { $0.key < end } ?? false
        }
    }
}
