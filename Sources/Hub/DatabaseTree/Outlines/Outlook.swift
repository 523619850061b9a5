package import FirebaseWire
package import SyncModel

/// What stands at a place of a database, or what will stand there once an outline is stored.
package struct Outlook: Sendable {
    private enum Form: Sendable {
        case stored(Node?)
        /// A large object or array in the text of the outline, with its path where that is asked for.
        case large(OutlineIndex, WirePath)
        /// A large string there.
        case text(Range<Int>)
        /// Above what the outline writes.
        case between(OutlineBetween)
    }

    private let form: Form
    private let sight: OutlineSight?
    /// Whether it is the same whatever is stored now.
    package let isBrought: Bool

    /// What is stored.
    package init(_ node: Node?) { self.init(.stored(node), nil, isBrought: false) }

    /// The whole database as it will be once `outline` is stored.
    ///
    /// - Parameter now: milliseconds since 1970, which timestamps become.
    package init(of outline: Outline, on before: Root, now: Int64) {
        let sight = OutlineSight(outline, before, now)
        if outline.base.isRoot, case .value(let finding, let range) = outline.content {
            self = sight.brought(range, finding, .root)
        } else {
            self.init(.between(OutlineBetween(outline, before.node)), sight, isBrought: false)
        }
    }

    private init(_ form: Form, _ sight: OutlineSight?, isBrought: Bool) {
        self.form = form
        self.sight = sight
        self.isBrought = isBrought
    }

    package var exists: Bool {
        switch form {
        case .stored(let node): node != nil
        case .large, .text: true
        case .between(let between): sight?.exists(between) ?? false
        }
    }

    /// The value of a leaf; nil for objects, arrays and nothing.
    package var leaf: JSONValue? {
        switch form {
        case .stored(let node): return node?.leaf
        case .large(let index, let path):
            switch index.own {
            case .value(let range): return sight?.brought(range, .whole, path).leaf
            case .server(let range): return sight?.serverValue(range, path)
            case nil: return nil
            }
        case .text(let range): return sight?.string(range)
        case .between(let between): return sight?.leaf(between)
        }
    }

    package var priority: JSONValue? {
        switch form {
        case .stored(let node): node?.priority
        case .large(let index, let path):
            index.priority.flatMap { sight?.brought($0, .whole, path.appending(.priority)).leaf }
        case .text: nil
        case .between(let between): sight?.priority(between)
        }
    }

    package func child(_ key: WireKey) -> Outlook {
        switch form {
        case .stored(let node): return Outlook(.stored(node?.descend([key])), sight, isBrought: isBrought)
        case .large(let index, let path):
            guard let sight, let range = sight.withText({ index.value(of: key, in: $0) }) else { return nothing }
            return sight.brought(range, index.large.finding(range), sight.place(path, key))
        case .text: return nothing
        case .between(let between): return sight?.child(key, between) ?? nothing
        }
    }

    /// Calls `body` with the children that there are, in any order, until it returns false. Priorities are no children.
    package func forEachChild(_ body: (WireKey, Outlook) throws -> Bool) rethrows {
        switch form {
        case .stored(let node):
            try node?.forEachChild { key, child in
                try body(key, Outlook(.stored(child), sight, isBrought: isBrought))
            }
        case .large(let index, let path):
            guard let sight else { return }
            try sight.withText { text in
                try index.forEach(text) { key, range in
                    let child = sight.brought(range, index.large.finding(range), sight.place(path, key))
                    return try !child.exists || body(key, child)
                }
            }
        case .text: return
        case .between(let between): try sight?.forEachChild(between, body)
        }
    }

    package var hasChildren: Bool {
        if case .large(let index, _) = form { return index.count > 0 }
        var any = false
        forEachChild { _, _ in
            any = true
            return false
        }
        return any
    }

    private var nothing: Outlook { Outlook(.stored(nil), sight, isBrought: isBrought) }
}

extension Outlook {
    static func stored(_ node: Node?, _ sight: OutlineSight, isBrought: Bool = false) -> Outlook {
        Outlook(.stored(node), sight, isBrought: isBrought)
    }

    static func between(_ between: OutlineBetween, _ sight: OutlineSight) -> Outlook {
        Outlook(.between(between), sight, isBrought: false)
    }

    static func large(_ index: OutlineIndex, _ path: WirePath, _ sight: OutlineSight) -> Outlook {
        Outlook(.large(index, path), sight, isBrought: !sight.outline.hasIncrement)
    }

    static func text(_ range: Range<Int>, _ sight: OutlineSight) -> Outlook {
        Outlook(.text(range), sight, isBrought: true)
    }
}
