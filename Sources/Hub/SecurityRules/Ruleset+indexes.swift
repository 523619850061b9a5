package import DatabaseTree
package import FirebaseWire

extension Ruleset {
    /// The places in `root` that `.indexOn` is about and that have many children, each with its orders.
    package func declaredIndexes(in root: Root) -> [(path: WirePath, order: Query.Order)] {
        var found: [(path: WirePath, order: Query.Order)] = []
        collect(self.root, root.node, .root, &found)
        return found
    }

    private func collect(
        _ place: Place, _ node: Node?, _ path: WirePath, _ found: inout [(path: WirePath, order: Query.Order)]
    ) {
        guard place.hasIndexes, let node, case .branch = node else { return }
        for name in place.indexes.sorted() {
            if let order = Query.Order(indexed: name) { found.append((path, order)) }
        }
        guard place.children.values.contains(where: \.hasIndexes) || place.wildcard.contains(where: \.hasIndexes) else {
            return
        }
        node.forEachChild { key, child in
            if let (inner, _) = place.child(key) { collect(inner, child, path.appending(key), &found) }
            return true
        }
    }
}
