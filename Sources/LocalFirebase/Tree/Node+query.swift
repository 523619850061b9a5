internal import RTDBWire

extension Node {
    /// The children that `query` selects, in byte order of their keys.
    ///
    /// Looks at every child once, and sorts only for a limit; a page in `$key` order costs no more than itself.
    func selected(by query: WireQuery) -> [(key: WireKey, value: Node)] {
        if let page = page(of: query) { return page }
        var found: [(key: WireKey, value: Node)] = []
        var positions: [WireQuery.Position] = []
        forEachChild { key, child in
            let position = query.position(key, child.sortText(for: query))
            if query.admits(position) {
                found.append((key, child))
                if query.limit != nil { positions.append(position) }
            }
            return true
        }
        guard query.limit != nil, positions.count > 0 else { return found }
        let kept = Set(query.limited(positions).map(\.key))
        return found.filter { kept.contains($0.key) }
    }

    /// The children from the query's lower bound on, up to its limit; nil where the order does not allow that.
    ///
    /// Behind a key that is no number, `$key` order is the order of the pages, once keys that are numbers are left out.
    private func page(of query: WireQuery) -> [(key: WireKey, value: Node)]? {
        guard query.order == .key, case .branch(let pages) = self, case .string(let start)? = query.lower?.value else {
            return nil
        }
        let key = WireKey(unchecked: start)
        guard let limit = query.limit, !limit.fromEnd, key.orderNumber == nil else { return nil }
        var cursor = SortedPages<Node>.Cursor(pages, from: key)
        var found: [(key: WireKey, value: Node)] = []
        while found.count < limit.count, let (key, value) = cursor.next() {
            if query.admits(query.position(key, nil)) { found.append((key, value)) } else if query.isPast(key) { break }
        }
        return found
    }

    /// Where this child stands in the query's order.
    func position(_ key: WireKey, in query: WireQuery) -> WireQuery.Position {
        query.position(key, sortText(for: query))
    }

    /// Whether `query` without its limit selects a child `key` with this value.
    static func isAdmitted(_ key: WireKey, _ value: Node?, by query: WireQuery) -> Bool {
        guard let value else { return false }
        return query.admits(query.position(key, value.sortText(for: query)))
    }

    /// A node of these children; nil without any.
    init?(children: [(key: WireKey, value: Node)]) {
        guard !children.isEmpty else { return nil }
        var pages = SortedPages<Node>()
        for (key, child) in children { pages.update(key) { $0 = child } }
        self = .branch(pages)
    }

    /// Text that has the query's sort value in it, without writing out what is large.
    private func sortText(for query: WireQuery) -> ArraySlice<UInt8>? {
        if case .packed(_, let text) = self { return text[...] }
        guard case .child(let path) = query.order else { return NodeText.openBrace[...] }
        guard let leaf = descend(path.keys[...]) else { return nil }
        var text = NodeText.openBrace[...]
        if case .packed(_, let packed) = leaf { text = packed[...] }
        return path.keys.reversed().reduce(text) { inner, key in
            (CanonicalText.joined([CanonicalText.Member(key, inner)]) ?? [])[...]
        }
    }
}

extension NodeText {
    /// Stands for any object where only the kind of a value counts.
    static let openBrace = Array("{}".utf8)
}

extension WireQuery {
    /// Whether `key`, and every key after it that is no number, is behind the window in `$key` order.
    fileprivate func isPast(_ key: WireKey) -> Bool {
        guard key.orderNumber == nil, let upper else { return false }
        return !WireQuery(.key, to: upper).admits(position(key, nil))
    }
}
