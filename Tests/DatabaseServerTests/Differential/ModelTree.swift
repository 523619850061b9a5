import SyncModel

/// What a place of a database holds, said as simply as possible: a leaf, or children, or nothing.
struct ModelTree: Equatable, Sendable {
    private(set) var leaf: JSONValue?
    private(set) var children: [String: ModelTree] = [:]

    init() {}

    /// What is there once `value` was written. An array is an object with the keys 0, 1, …
    init(_ value: JSONValue) {
        switch value {
        case .null: break
        case .bool, .integer, .string: leaf = value
        case .number(let number):
            let whole = Int64(exactly: number).flatMap { abs(number) <= 9_007_199_254_740_992 ? $0 : nil }
            leaf = whole.map { .integer($0) } ?? value
        case .array(let elements):
            for (index, element) in elements.enumerated() { set([String(index)], to: ModelTree(element)) }
        case .object(let members):
            for (key, member) in members { set([key], to: ModelTree(member)) }
        }
    }

    init(children: [String: ModelTree]) { self.children = children }

    var isEmpty: Bool { leaf == nil && children.isEmpty }

    subscript(path: ArraySlice<String>) -> ModelTree {
        guard let key = path.first else { return self }
        return children[key]?[path.dropFirst()] ?? ModelTree()
    }

    /// Replaces what is at `path`. Nothing below a leaf stays nothing.
    mutating func set(_ path: ArraySlice<String>, to value: ModelTree) {
        guard let key = path.first else {
            self = value
            return
        }
        if leaf != nil, value.isEmpty { return }
        leaf = nil
        var child = children[key] ?? ModelTree()
        child.set(path.dropFirst(), to: value)
        children[key] = child.isEmpty ? nil : child
    }

    /// How it is answered: an array where all keys are indices and more than half of them are there.
    var shown: JSONValue {
        if let leaf { return leaf }
        if children.isEmpty { return .null }
        let indices = children.keys.compactMap { key in Int(key).flatMap { String($0) == key && $0 >= 0 ? $0 : nil } }
        if indices.count == children.count, let last = indices.max(), last < 2 * children.count {
            return .array((0...last).map { children[String($0)]?.shown ?? .null })
        }
        return .object(children.mapValues(\.shown))
    }

    /// `value` with whole numbers written in one way.
    static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .integer, .string: value
        case .number: ModelTree(value).leaf ?? .null
        case .array(let elements): .array(elements.map(plain))
        case .object(let members): .object(members.mapValues(plain))
        }
    }

    /// `value` with its increments added to what is here.
    func resolving(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements):
            return .array(elements.enumerated().map { self[[String($0)]].resolving($1) })
        case .object(let members):
            if case .object(let call)? = members[".sv"], let delta = call["increment"] { return sum(delta) }
            return .object(Dictionary(uniqueKeysWithValues: members.map { ($0, self[[$0]].resolving($1)) }))
        default: return value
        }
    }

    private func sum(_ delta: JSONValue) -> JSONValue {
        switch (leaf, delta) {
        case (.integer(let here)?, .integer(let more)):
            let (whole, overflows) = here.addingReportingOverflow(more)
            return overflows ? .number(Double(here) + Double(more)) : .integer(whole)
        case (.integer(let here)?, .number(let more)): return .number(Double(here) + more)
        case (.number(let here)?, .integer(let more)): return .number(here + Double(more))
        case (.number(let here)?, .number(let more)): return .number(here + more)
        default: return delta
        }
    }
}
