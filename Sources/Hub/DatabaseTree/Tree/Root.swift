package import FirebaseWire

/// One database: its tree, and the way writes change tree and rows together.
package struct Root: Sendable {
    package let database: String
    package private(set) var node: Node?
    /// Whether there may be priorities. Once true it stays so, until the file is read again.
    package var hasPriorities = false

    var indexes = RootIndexes()

    package init(_ database: String) { self.database = database }

    package func value(at path: WirePath) -> Node? { node?.descend(path.keys[...]) }

    /// What is stored at `path` where that is a branch. Costs less than ``value(at:)`` where it is none.
    package func branch(at path: WirePath) -> Node? {
        var node = node
        for key in path.keys {
            guard case .branch(let pages)? = node else { return nil }
            node = pages.branch(key).map { .branch($0) }
        }
        if case .branch? = node { return node }
        return nil
    }

    /// The form in which nodes are answered.
    package func form(isExport: Bool = false) -> NodeEncoder.Form {
        isExport ? .export : hasPriorities ? .plain : .stored
    }

    /// Puts `value` (nil: nothing) at `path`; ancestors that become empty vanish. Returns whether anything changed.
    ///
    /// A path may end with ``WireKey/priority``; nothing happens where the node is missing whose priority that is.
    package mutating func set(_ path: WirePath, to value: Node?, _ rows: inout RowChanges) -> Bool {
        if path.isPriority, self.value(at: path.node) == nil { return false }
        let touched = indexes.children(touchedBy: path)
        let before = touched.map { self.value(at: $0.parent.appending($0.key)) }
        let edit = Edit(database: database, path: path, value: value, mayHavePriorities: hasPriorities)
        guard edit.apply(&node, 0, &rows) else { return false }
        indexes.forget(below: path)
        for ((parent, key), old) in zip(touched, before) {
            indexes.replace(key, at: parent, old, with: self.value(at: parent.appending(key)))
        }
        return true
    }

    /// Puts a node at `path` as another tree has it, rows included; nothing on the way there may be packed.
    ///
    /// - Returns: what was there.
    mutating func graft(_ new: Node?, at path: WirePath) -> Node? {
        let touched = indexes.children(touchedBy: path)
        let before = touched.map { self.value(at: $0.parent.appending($0.key)) }
        let old = Root.graft(new, &node, path.keys[...])
        indexes.forget(below: path)
        for ((parent, key), old) in zip(touched, before) {
            indexes.replace(key, at: parent, old, with: self.value(at: parent.appending(key)))
        }
        return old
    }

    private static func graft(_ new: Node?, _ node: inout Node?, _ path: ArraySlice<WireKey>) -> Node? {
        guard let key = path.first else {
            defer { node = new }
            return node
        }
        var children = Children()
        if case .branch(let present) = node { children = present }
        node = nil
        let old = children.update(key) { graft(new, &$0, path.dropFirst()) }
        if !children.isEmpty { node = .branch(children) }
        return old
    }

    /// Puts a row of the file into the tree. False where another row is at its place, above or below it.
    package mutating func load(row: Int64, path: WirePath, text: [UInt8]) -> Bool {
        guard let key = path.keys.last else {
            guard node == nil else { return false }
            hasPriorities = hasPriorities || CanonicalText.hasPriorities(text[...])
            node = .packed(row: row, text: text)
            return true
        }
        let child = LoadedChild(key: key, row: row, text: text)
        return load([child], below: WirePath(path.keys.dropLast())) == nil
    }

    /// Puts many rows into the tree, which are quicker put together.
    ///
    /// - Parameters:
    ///   - children: at least one.
    ///   - parent: what they are children of.
    /// - Returns: the number of a row at whose place, above or below it another row is; nil where all are in the tree.
    package mutating func load(_ children: [LoadedChild], below parent: WirePath) -> Int64? {
        if !hasPriorities {
            hasPriorities = children.contains { $0.key == .priority || CanonicalText.hasPriorities($0.text[...]) }
        }
        return Root.load(&node, parent.keys[...], children.sorted { $0.key < $1.key })
    }

    private static func load(_ node: inout Node?, _ path: ArraySlice<WireKey>, _ new: [LoadedChild]) -> Int64? {
        var children = Children()
        switch node {
        case .packed: return new.first?.row
        case .branch(let present): children = present
        case nil: break
        }
        node = nil
        defer { node = .branch(children) }
        guard let key = path.first else { return children.insert(new[...]) }
        return children.update(key) { load(&$0, path.dropFirst(), new) }
    }
}

/// One value on its way into the tree. A class, for it is captured on each level of the way.
private final class Edit {
    private let database: String
    private let path: WirePath
    private let value: Node?
    /// Whether there may be priorities to keep in line.
    private let mayHavePriorities: Bool

    init(database: String, path: WirePath, value: Node?, mayHavePriorities: Bool) {
        self.database = database
        self.path = path
        self.value = value
        self.mayHavePriorities = mayHavePriorities
    }

    func apply(_ node: inout Node?, _ depth: Int, _ rows: inout RowChanges) -> Bool {
        guard depth < path.keys.count else { return replace(&node, with: value, depth, &rows) }
        let key = path.keys[depth]
        switch node {
        case .packed(_, let text):
            let rest = path.keys[depth...]
            if value == nil, CanonicalText.value(at: rest, in: text[...]) == nil { return false }
            return replace(&node, with: Node.edited(text[...], at: rest, to: value), depth, &rows)
        case .branch(var pages):
            node = nil
            let changed = pages.update(key) { apply(&$0, depth + 1, &rows) }
            if mayHavePriorities, changed { node = normalized(&pages, depth, &rows) }
            if node == nil, !pages.isEmpty { node = .branch(pages) }
            return changed
        case nil:
            guard value != nil else { return false }
            var pages = Children()
            _ = pages.update(key) { apply(&$0, depth + 1, &rows) }
            node = .branch(pages)
            return true
        }
    }

    /// Brings the pseudo children of a changed branch in line with the others. Returns the leaf that is left where there
    /// is no branch any more.
    private func normalized(_ pages: inout Children, _ depth: Int, _ rows: inout RowChanges) -> Node? {
        let own = pages[.value]
        let priority = pages[.priority]
        let children = pages.count - (own == nil ? 0 : 1) - (priority == nil ? 0 : 1)
        if children > 0 {
            if own != nil { drop(.value, from: &pages, &rows) }
        } else if own == nil {
            drop(.priority, from: &pages, &rows)
        } else if priority == nil, case .packed(_, let text)? = own {
            drop(.value, from: &pages, &rows)
            return stored(.packed(row: 0, text: text), WirePath(path.keys[..<depth]), &rows)
        }
        return nil
    }

    private func drop(_ key: WireKey, from pages: inout Children, _ rows: inout RowChanges) {
        pages.update(key) { child in
            if let child { remove(child, &rows) }
            child = nil
        }
    }

    private func replace(_ node: inout Node?, with new: Node?, _ depth: Int, _ rows: inout RowChanges) -> Bool {
        let place = WirePath(path.keys[..<depth])
        if case .packed(let row, let old) = node, case .packed(_, let text) = new {
            guard text != old else { return false }
            node = .packed(row: rows.put(row, database, place, text), text: text)
            return true
        }
        if node == nil, new == nil { return false }
        if let old = node { remove(old, &rows) }
        node = new.map { stored($0, place, &rows) }
        return true
    }

    private func remove(_ node: Node, _ rows: inout RowChanges) {
        if rows.isTrial { return }
        switch node {
        case .packed(let row, _): rows.remove(row)
        case .branch(let pages):
            var cursor = Children.Cursor(pages)
            while let (_, child) = cursor.next() { remove(child, &rows) }
        }
    }

    private func stored(_ node: Node, _ place: WirePath, _ rows: inout RowChanges) -> Node {
        if rows.isTrial { return node }
        switch node {
        case .packed(_, let text): return .packed(row: rows.put(0, database, place, text), text: text)
        case .branch(let pages):
            var numbered = Children()
            var cursor = Children.Cursor(pages)
            while let (key, child) = cursor.next() {
                let child = stored(child, place.appending(key), &rows)
                numbered.update(key) { $0 = child }
            }
            return .branch(numbered)
        }
    }
}
