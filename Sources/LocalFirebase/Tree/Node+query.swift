internal import RTDBWire

extension Node {
    /// The children that `query` selects, in byte order of their keys.
    ///
    /// Looks at every child once; only a limit sorts.
    func selected(by query: WireQuery) -> [(key: WireKey, value: Node)] {
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
