import FirebaseWire
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseTree

/// What a database holds, in the plainest way.
private struct Model: Equatable {
    var priority: JSONValue?
    var leaf: JSONValue?
    var children: [String: Model] = [:]

    static func setting(_ node: Model?, _ path: ArraySlice<String>, _ value: Model?) -> Model? {
        guard let key = path.first else { return value }
        var result = node ?? Model()
        let child = setting(result.children[key], path.dropFirst(), value)
        if child == nil, result.children[key] == nil { return node }
        result.children[key] = child
        if child != nil { result.leaf = nil }
        return result.children.isEmpty && result.leaf == nil ? nil : result
    }

    static func prioritising(_ node: Model?, _ path: ArraySlice<String>, _ priority: JSONValue?) -> Model? {
        guard var result = node else { return nil }
        if let key = path.first {
            result.children[key] = prioritising(result.children[key], path.dropFirst(), priority)
        } else {
            result.priority = priority
        }
        return result
    }

    /// With or without priorities, before arrays are made.
    func value(withPriorities: Bool) -> JSONValue {
        var members = children.mapValues { $0.value(withPriorities: withPriorities) }
        guard withPriorities, let priority else { return leaf ?? .object(members) }
        members[".priority"] = priority
        if let leaf { members[".value"] = leaf }
        return .object(members)
    }
}

struct RootPriorityTests {
    private static func random(_ random: inout SeededRandom, depth: Int) -> Model {
        var model = Model()
        if Int.random(in: 0..<3, using: &random) == 0 {
            model.priority = .integer(Int64.random(in: 0..<3, using: &random))
        }
        if depth == 0 || Bool.random(using: &random) {
            let long = JSONValue.string(String(repeating: "long", count: 2100))
            model.leaf = [1, "text", true, long].randomElement(using: &random)
        } else {
            for key in ["0", "1", "-a", "b"].prefix(Int.random(in: 1...4, using: &random)) {
                model.children[key] = self.random(&random, depth: depth - 1)
            }
        }
        return model
    }

    @Test(arguments: 1...12) func `priorities come and go with their nodes, in the tree and in its rows`(_ seed: Int) {
        var random = SeededRandom(UInt64(seed))
        var root = Root("db")
        root.hasPriorities = true
        var model: Model?
        var stored: [Int64: (WirePath, [UInt8])] = [:]
        let numbers = RowNumbers(next: 1)
        for _ in 0..<40 {
            let path = (0..<Int.random(in: 0..<4, using: &random)).compactMap { _ in
                ["0", "1", "-a", "b"].randomElement(using: &random)
            }
            var keys = path.map { WireKey(unchecked: $0) }
            var text: [UInt8]?
            if Bool.random(using: &random) {
                let value: Model? =
                    Int.random(in: 0..<4, using: &random) == 0
                    ? nil : RootPriorityTests.random(&random, depth: 2)
                model = Model.setting(model, path[...], value)
                text = value?.value(withPriorities: true).pruned.map { JSONWriter.text($0) }
            } else {
                let priority: JSONValue? = [.none, .some(1), .some("p")].randomElement(using: &random) ?? .none
                model = Model.prioritising(model, path[...], priority)
                keys.append(.priority)
                text = priority.map { JSONWriter.text($0) }
            }
            var rows = RowChanges(numbers)
            _ = root.set(WirePath(keys), to: text.map { Node(canonical: $0) }, &rows)
            apply(rows.changes, to: &stored)
            check(root, model, stored)
        }
    }

    private func apply(_ changes: [RowChange], to stored: inout [Int64: (WirePath, [UInt8])]) {
        for change in changes {
            switch change {
            case .put(let row, _, let path, let text): stored[row] = (path, text)
            case .remove(let row): stored[row] = nil
            case .keep: continue
            }
        }
    }

    private static func hasPriority(_ model: Model) -> Bool {
        model.priority != nil || model.children.values.contains(where: hasPriority)
    }

    private func check(_ root: Root, _ model: Model?, _ stored: [Int64: (WirePath, [UInt8])]) {
        var loaded = Root("db")
        for (row, (path, text)) in stored {
            let isLoaded = loaded.load(row: row, path: path, text: text)
            #expect(isLoaded)
        }
        let isSame = loaded.node?.text == root.node?.text
        #expect(isSame)
        if model.map({ RootPriorityTests.hasPriority($0) }) == true { #expect(loaded.hasPriorities) }
        let whole = model?.value(withPriorities: true)
        let plain = model?.value(withPriorities: false).pruned
        let isStored = root.node?.text == whole?.pruned.map { JSONWriter.text($0) }
        let isExported = root.node?.text(.export) == whole.map { JSONWriter.text($0) }
        let isPlain = root.node?.text(.plain) == plain.map { JSONWriter.text($0) }
        #expect(isStored && isExported && isPlain)
        #expect(root.node?.priority == model?.priority)
        #expect(root.node?.leaf == model?.leaf)
    }
}
