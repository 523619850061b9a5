internal import FirebaseWire

/// A sorted map from keys to values: a B+ tree of small pages, a value like an array.
///
/// A copy costs nothing; a change to one copy costs the pages on the way to the place, so the published tree stays
/// readable while the next one is made. Lookup, insertion and removal are logarithmic; iteration is in byte order.
struct SortedPages<Value: Sendable>: Sendable {
    private var root = Page<Value>()
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Whether this and `other` surely hold the same, because they share their pages. False says nothing.
    func isIdentical(to other: SortedPages) -> Bool { root === other.root }

    subscript(key: WireKey) -> Value? {
        guard let (leaf, index) = place(key), leaf.keys[index] == key else { return nil }
        return leaf.values[index]
    }

    /// The last pair whose key is not above `key`.
    func floor(_ key: WireKey) -> (key: WireKey, value: Value)? {
        place(key).map { ($0.leaf.keys[$0.index], $0.leaf.values[$0.index]) }
    }

    /// The key of ``floor(_:)``, without taking the value in hand.
    func floorKey(_ key: WireKey) -> WireKey? { place(key).map { $0.leaf.keys[$0.index] } }

    /// Where the last pair stands whose key is not above `key`.
    private func place(_ key: WireKey) -> (leaf: Page<Value>, index: Int)? {
        var page = root
        while true {
            let place = page.floor(key)
            guard place >= 0 else { return nil }
            if page.isLeaf { return (page, place) }
            page = page.children[place]
        }
    }

    /// The last key that is not above `key` (an empty one where there is none) with its value, and the key after it.
    func surroundings(of key: WireKey) -> (key: WireKey, value: Value?, next: WireKey?) {
        var cursor = Cursor(self, from: key)
        guard let first = cursor.next() else { return (SortedPages.lowest, nil, nil) }
        guard first.key <= key else { return (SortedPages.lowest, nil, first.key) }
        return (first.key, first.value, cursor.next()?.key)
    }

    /// Below all keys of children.
    static var lowest: WireKey { WireKey(unchecked: "") }

    /// Lets `change` replace, insert (it was nil) or remove (it becomes nil) the value of `key`.
    mutating func update<Result>(_ key: WireKey, _ change: (inout Value?) throws -> Result) rethrows -> Result {
        if !isKnownUniquelyReferenced(&root) { root = root.copy() }
        var difference = 0
        let result = try root.update(key, &difference, change)
        count += difference
        if root.keys.count > Page<Value>.maxEntries {
            let upper = root.split(after: key)
            root = Page(keys: [root.keys[0], upper.keys[0]], children: [root, upper])
        } else if root.children.count == 1 {
            root = root.children[0]
        }
        return result
    }

    /// Calls `body` with every pair in byte order until it returns false. Returns whether all were visited.
    @discardableResult
    func forEach(_ body: (WireKey, Value) throws -> Bool) rethrows -> Bool {
        var cursor = Cursor(self)
        while let (key, value) = cursor.next() { guard try body(key, value) else { return false } }
        return true
    }

    /// Walks the pairs in byte order.
    struct Cursor: Sendable {
        private var stack: [(page: Page<Value>, place: Int)]

        init(_ pages: SortedPages) { stack = [(pages.root, 0)] }

        /// Starts at the last key that is not above `key`, or at the first key where there is none.
        init(_ pages: SortedPages, from key: WireKey) {
            stack = []
            var page = pages.root
            while true {
                let place = max(page.floor(key), 0)
                guard !page.isLeaf else { break }
                stack.append((page, place + 1))
                page = page.children[place]
            }
            stack.append((page, max(page.floor(key), 0)))
        }

        mutating func next() -> (key: WireKey, value: Value)? {
            while let (page, place) = stack.last {
                guard place < page.keys.count else {
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].place += 1
                if page.isLeaf { return (page.keys[place], page.values[place]) }
                stack.append((page.children[place], 0))
            }
            return nil
        }
    }
}

extension SortedPages {
    /// Walks the pairs backwards.
    struct BackCursor: Sendable {
        /// Each page with the place that comes next.
        private var stack: [(page: Page<Value>, place: Int)] = []

        /// - Parameter key: where to start, at the last key that is not above it; nil for the end.
        init(_ pages: SortedPages, from key: WireKey?) {
            var page = pages.root
            while true {
                let place = key.map { page.floor($0) } ?? page.keys.count - 1
                guard !page.isLeaf, place >= 0 else {
                    stack.append((page, page.isLeaf ? place : -1))
                    return
                }
                stack.append((page, place - 1))
                page = page.children[place]
            }
        }

        mutating func next() -> (key: WireKey, value: Value)? {
            while let (page, place) = stack.last {
                guard place >= 0 else {
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].place -= 1
                if page.isLeaf { return (page.keys[place], page.values[place]) }
                let child = page.children[place]
                stack.append((child, child.keys.count - 1))
            }
            return nil
        }
    }
}

/// One page of the tree: a leaf has values, an inner page has children and the lowest key of each.
///
/// Unchecked, because it is changed only by ``SortedPages``, and only while there is one reference to it; what several
/// hold is copied first.
private final class Page<Value: Sendable>: @unchecked Sendable {
    private(set) var keys: [WireKey]
    private(set) var values: [Value]
    private(set) var children: [Page]

    /// The most entries of a page; with the one that is too many, its arrays are full at a power of two.
    static var maxEntries: Int { 31 }

    init(keys: [WireKey] = [], values: [Value] = [], children: [Page] = []) {
        self.keys = keys
        self.values = values
        self.children = children
    }

    var isLeaf: Bool { children.isEmpty }

    func copy() -> Page { Page(keys: keys, values: values, children: children) }

    /// The place of the last key that is not above `key`, or -1.
    func floor(_ key: WireKey) -> Int { keys.indices.partitionPoint { key < keys[$0] } - 1 }

    func update<Result>(
        _ key: WireKey, _ difference: inout Int, _ change: (inout Value?) throws -> Result
    ) rethrows -> Result {
        let place = floor(key)
        if isLeaf { return try updateLeaf(key, place, &difference, change) }
        let child = max(place, 0)
        if !isKnownUniquelyReferenced(&children[child]) { children[child] = children[child].copy() }
        let result = try children[child].update(key, &difference, change)
        settle(child, key)
        return result
    }

    private func updateLeaf<Result>(
        _ key: WireKey, _ place: Int, _ difference: inout Int, _ change: (inout Value?) throws -> Result
    ) rethrows -> Result {
        guard place >= 0, keys[place] == key else {
            var value: Value?
            let result = try change(&value)
            if let value {
                keys.insert(key, at: place + 1)
                values.insert(value, at: place + 1)
                difference = 1
            }
            return result
        }
        // The value leaves the array while it changes, so that its own pages are not shared with a copy here.
        let last = values.count - 1
        values.swapAt(place, last)
        var value: Value? = values.removeLast()
        defer {
            if let value {
                values.append(value)
                values.swapAt(place, last)
            } else {
                if place < last { values.append(values.remove(at: place)) }
                keys.remove(at: place)
                difference = -1
            }
        }
        return try change(&value)
    }

    /// Restores size and lowest key of the child that has changed.
    private func settle(_ child: Int, _ key: WireKey) {
        guard let lowest = children[child].keys.first else {
            children.remove(at: child)
            keys.remove(at: child)
            return
        }
        if keys[child] != lowest { keys[child] = lowest }
        let count = children[child].keys.count
        if count > Page.maxEntries {
            let upper = children[child].split(after: key)
            keys.insert(upper.keys[0], at: child + 1)
            children.insert(upper, at: child + 1)
        } else if count < Page.maxEntries / 4 {
            mergeWithNext(child > 0 ? child - 1 : child)
        }
    }

    private func mergeWithNext(_ place: Int) {
        guard place + 1 < children.count else { return }
        let (page, next) = (children[place], children[place + 1])
        guard page.keys.count + next.keys.count <= Page.maxEntries * 3 / 4 else { return }
        children[place] = Page(
            keys: page.keys + next.keys, values: page.values + next.values, children: page.children + next.children)
        children.remove(at: place + 1)
        keys.remove(at: place + 1)
    }

    /// Cuts off the upper half; only the last entry where `key` is that one, so that sorted input fills its pages.
    func split(after key: WireKey) -> Page {
        let ascending = isLeaf ? keys[keys.count - 1] == key : keys[keys.count - 1] <= key
        let cut = ascending ? keys.count - 1 : keys.count / 2
        let upper = Page()
        move(&keys, from: cut, to: &upper.keys)
        if isLeaf {
            move(&values, from: cut, to: &upper.values)
        } else {
            move(&children, from: cut, to: &upper.children)
        }
        return upper
    }

    /// Moves the end of an array into an empty one that has room for a full page.
    private func move<Element>(_ elements: inout [Element], from cut: Int, to upper: inout [Element]) {
        upper.reserveCapacity(Page.maxEntries + 1)
        upper.append(contentsOf: elements[cut...])
        elements.removeSubrange(cut...)
    }
}
