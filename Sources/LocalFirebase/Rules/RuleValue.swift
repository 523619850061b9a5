internal import RTDBWire
internal import SyncModel

/// What an expression has while it is evaluated.
enum RuleValue: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    /// An object that is no snapshot: `auth`, `auth.token`, `query`, or what `val()` gives of a branch.
    case object([String: JSONValue])
    case snapshot(RuleSnapshot)

    init(_ value: JSONValue?) {
        switch value {
        case nil, .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .integer(let number): self = .number(Double(number))
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .object(let members): self = .object(members)
        case .array(let elements):
            let members = elements.enumerated().map { (String($0.offset), $0.element) }
            self = .object(Dictionary(members) { first, _ in first })
        }
    }
}

/// A place in the database, before or after a write.
struct RuleSnapshot: Sendable {
    let root: Root
    let path: WirePath

    var node: Node? { root.value(at: path) }

    var exists: Bool { node != nil }

    /// The value of a leaf; an object without members stands for anything larger.
    var value: RuleValue {
        guard let node else { return .null }
        return node.leaf.map { RuleValue($0) } ?? .object([:])
    }

    /// The place at `text` below this one; nil where that can't be a path.
    func child(_ text: String) -> RuleSnapshot? {
        guard let below = try? WirePath(parsing: text) else { return nil }
        return RuleSnapshot(root: root, path: path.appending(below))
    }

    var parent: RuleSnapshot? {
        path.isRoot ? nil : RuleSnapshot(root: root, path: WirePath(path.keys.dropLast()))
    }

    var hasChildren: Bool {
        var any = false
        node?.forEachChild { _, _ in
            any = true
            return false
        }
        return any
    }
}
