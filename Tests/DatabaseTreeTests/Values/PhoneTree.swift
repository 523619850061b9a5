import Crypto
import FirebaseWire
import Foundation
import JSONText
import SyncModel
import TestSupport

@testable import DatabaseTree

/// What a client library for phones has of a place without priorities, and what it makes of it.
struct PhoneTree: Equatable {
    var leaf: JSONValue?
    var children: [WireKey: PhoneTree] = [:]

    init(leaf: JSONValue? = nil, children: [WireKey: PhoneTree] = [:]) {
        self.leaf = leaf
        self.children = children
    }

    init(_ node: Node?) {
        leaf = node?.leaf
        node?.forEachChild { key, child in
            children[key] = PhoneTree(child)
            return true
        }
    }

    var isEmpty: Bool { leaf == nil && children.isEmpty }

    private var ordered: [WireKey] { children.keys.sorted(by: WireKey.precedesInKeyOrder) }

    private var json: JSONValue {
        leaf ?? .object(Dictionary(uniqueKeysWithValues: children.map { ($0.key.text, $0.value.json) }))
    }

    var node: Node? {
        get throws {
            guard !isEmpty else { return nil }
            let text = JSONWriter.text(json)
            let body = try text.withUnsafeBufferPointer { try PutBody($0, depth: 0) }
            return body.value.canonicalText.map { Node(canonical: $0) }
        }
    }

    /// All leaves with their paths, or those in the range of a merge.
    func leaves(_ merge: RangeMerge?) -> [[WireKey]: JSONValue] {
        var found: [[WireKey]: JSONValue] = [:]
        visit([]) { path, leaf in
            if let after = merge?.after, !PhoneTree.precedes(after.keys, path) { return }
            if let end = merge?.end, PhoneTree.precedes(end.keys, path) { return }
            found[path] = leaf
        }
        return found
    }

    private func visit(_ path: [WireKey], _ body: ([WireKey], JSONValue) -> Void) {
        if let leaf { body(path, leaf) }
        for key in ordered { children[key]?.visit(path + [key], body) }
    }

    private static func precedes(_ left: [WireKey], _ right: [WireKey]) -> Bool {
        left.lexicographicallyPrecedes(right, by: WireKey.precedesInKeyOrder)
    }

    // MARK: What is said of it

    /// The hashes of ranges that end where their text is longer than `size`.
    func compound(upTo size: Int) -> (posts: [[WireKey]], hashes: [String]) {
        var (posts, hashes): ([[WireKey]], [String]) = ([], [])
        var range = PhoneTree()
        var last: [WireKey] = []
        func end() {
            guard !range.isEmpty else { return }
            posts.append(last)
            hashes.append(Data(Insecure.SHA1.hash(data: Data(range.text.utf8))).base64EncodedString())
            range = PhoneTree()
        }
        visit([]) { path, leaf in
            range.set(path[...], leaf)
            last = path
            if range.text.utf16.count > size { end() }
        }
        end()
        return (posts, hashes + [""])
    }

    private var text: String {
        if let leaf { return "(\(PhoneTree.spelling(leaf)))" }
        let members = ordered.compactMap { key in children[key].map { "\(PhoneTree.quoted(key.text)):\($0.text)" } }
        return "(\(members.joined(separator: ",")))"
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func spelling(_ leaf: JSONValue) -> String {
        switch leaf {
        case .bool(let truth): "boolean:\(truth)"
        case .integer(let number): "number:" + String(format: "%016llx", Double(number).bitPattern)
        case .string(let text): "string:\(quoted(text))"
        default: ""
        }
    }

    mutating func set(_ path: ArraySlice<WireKey>, _ value: JSONValue) {
        guard let key = path.first else {
            self = PhoneTree(leaf: value)
            return
        }
        leaf = nil
        children[key, default: PhoneTree()].set(path.dropFirst(), value)
    }

    // MARK: What is told

    /// This with `news` in one range, step by step as the libraries do it.
    func taking(_ news: PhoneTree, after: [WireKey]?, end: [WireKey]?, at path: [WireKey]) -> PhoneTree {
        let isBehind = after.map { PhoneTree.precedes($0, path) } ?? true
        let isBefore = end.map { PhoneTree.precedes(path, $0) } ?? true
        let (hasStart, hasEnd) = (after?.starts(with: path) ?? false, end?.starts(with: path) ?? false)
        if isBehind, isBefore, !hasEnd { return news }
        if isBehind, hasEnd, news.leaf != nil { return news }
        if isBehind, end == path { return leaf == nil ? self : PhoneTree() }
        guard hasStart || hasEnd else { return self }
        var result = self
        for key in Set(children.keys).union(news.children.keys) {
            let old = children[key] ?? PhoneTree()
            let new = old.taking(news.children[key] ?? PhoneTree(), after: after, end: end, at: path + [key])
            guard new != old else { continue }
            // A leaf becomes an object with its first child.
            if !new.isEmpty { result.leaf = nil }
            result.children[key] = new.isEmpty ? nil : new
        }
        return result
    }

    // MARK: Any

    private static let keys = ["0", "1", "2", "10", "-5", "a", "b", "k\"\\", "é", "\u{FB00}", "😀", "-Nx"]

    private static func key(_ random: inout SeededRandom) -> WireKey {
        WireKey(unchecked: keys[random.below(keys.count)])
    }

    static func random(depth: Int, _ random: inout SeededRandom) -> PhoneTree {
        guard depth > 0, random.chance(75) else {
            let leaves: [JSONValue] = [
                .bool(true), .integer(7), .integer(-1), .string("x\"\\"), .string("longer text"),
            ]
            return PhoneTree(leaf: leaves[random.below(leaves.count)])
        }
        var tree = PhoneTree()
        for _ in 0...random.below(7) {
            tree.children[key(&random)] = .random(depth: depth - 1, &random)
        }
        return tree
    }

    /// Changes, adds or removes something somewhere.
    mutating func change(_ random: inout SeededRandom) {
        guard !children.isEmpty, random.chance(88) else {
            self = .random(depth: 2, &random)
            return
        }
        let key = (random.chance(50) ? ordered.randomElement(using: &random) : nil) ?? PhoneTree.key(&random)
        if children[key] == nil || random.chance(50) {
            children[key, default: PhoneTree()].change(&random)
        } else if children.count > 1 {
            children[key] = nil
        }
    }
}
