import FirebaseWire
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseTree

/// A query as a request has it, evaluated by sorting everything.
private struct PlainQuery {
    enum Order { case key, value, priority, child([String]) }
    struct Bound {
        var value: JSONValue
        var key: String?
    }

    var order = Order.key
    var bounds: [String: Bound] = [:]
    var limit: (name: String, count: Int)?

    var parameters: [(name: String, value: String)] {
        let word: String
        switch order {
        case .key: word = "$key"
        case .value: word = "$value"
        case .priority: word = "$priority"
        case .child(let path): word = path.joined(separator: "/")
        }
        var result = [(name: "orderBy", value: "\"\(word)\"")]
        for (name, bound) in bounds {
            let key = bound.key.map { "," + JSONWriter.string(.string($0)) } ?? ""
            result.append((name, JSONWriter.string(bound.value) + key))
        }
        if let limit { result.append((limit.name, String(limit.count))) }
        return result
    }

    typealias Child = (key: String, value: JSONValue)

    func keys(_ children: [Child]) -> Set<String> {
        var kept = children.filter { isIn($0) }.sorted { compare(position($0), position($1)) < 0 }
        if let limit { kept = Array(limit.name == "limitToLast" ? kept.suffix(limit.count) : kept.prefix(limit.count)) }
        return Set(kept.map(\.key))
    }

    private func isIn(_ child: Child) -> Bool {
        bounds.allSatisfy { name, bound in
            var difference = compareValues(position(child).0, order(bound.value))
            if case .key = order, case .string(let text) = bound.value { difference = compareKeys(child.key, text) }
            if difference == 0, let key = bound.key { difference = compareKeys(child.key, key) }
            switch name {
            case "startAt": return difference >= 0
            case "startAfter": return difference > 0
            case "endAt": return difference <= 0
            case "endBefore": return difference < 0
            default: return difference == 0
            }
        }
    }

    private func order(_ value: JSONValue) -> JSONValue { if case .key = order { .null } else { value } }

    private func position(_ child: Child) -> (JSONValue, String) {
        switch order {
        case .key: return (.null, child.key)
        case .value: return (child.value.members?[".value"] ?? child.value, child.key)
        case .priority: return (child.value.members?[".priority"] ?? .null, child.key)
        case .child(let path):
            let found = path.reduce(child.value) { $0.members?[$1] ?? .null }
            return (found.members?[".value"] ?? found, child.key)
        }
    }

    private func compare(_ left: (JSONValue, String), _ right: (JSONValue, String)) -> Int {
        let difference = compareValues(left.0, right.0)
        return difference != 0 ? difference : compareKeys(left.1, right.1)
    }

    private func compareValues(_ left: JSONValue, _ right: JSONValue) -> Int {
        func rank(_ value: JSONValue) -> Int {
            switch value {
            case .null: 0
            case .bool(let truth): truth ? 2 : 1
            case .integer, .number: 3
            case .string: 4
            case .array, .object: 5
            }
        }
        switch (left, right) {
        case (.string(let first), .string(let second)): return compareTexts(first, second)
        case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number):
            let (first, second) = (number(left), number(right))
            return first < second ? -1 : first > second ? 1 : 0
        default: return rank(left) - rank(right)
        }
    }

    private func number(_ value: JSONValue) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: 0
        }
    }

    private func compareTexts(_ left: String, _ right: String) -> Int {
        if Array(left.utf8) == Array(right.utf8) { return 0 }
        return left.utf16.lexicographicallyPrecedes(right.utf16) ? -1 : 1
    }

    private func compareKeys(_ left: String, _ right: String) -> Int {
        switch (Int32(left), Int32(right)) {
        case (let first?, let second?):
            return first != second ? (first < second ? -1 : 1) : left.utf8.count - right.utf8.count
        case (.some, nil): return -1
        case (nil, .some): return 1
        case (nil, nil): return compareTexts(left, right)
        }
    }
}

struct QueryTests {
    private static let keys = [
        "0", "1", "2", "10", "-1", "-10", "007", "a", "b", "B", "-Nabc", "-Nabd", "é", "z z", "4294967296",
        "2147483647",
        "-", "~", ":", "1a", "\u{FF5E}", "😀", "a😀", "a\u{F8FF}",
    ]
    private static let leaves: [JSONValue] = [
        true, false, 0, 1, 2, 10, -1, 1.5, "", "a", "b", "10", "é", "\u{10000}", "\u{ffff}",
    ]

    private static func child(_ random: inout SeededRandom) -> JSONValue {
        let leaf = leaves.randomElement(using: &random) ?? 1
        let priority: JSONValue? =
            [.none, .none, .some(1), .some(2), .some("p")].randomElement(using: &random) ?? .none
        let value: JSONValue
        switch Int.random(in: 0..<4, using: &random) {
        case 0: value = leaf
        case 1: value = ["n": leaf]
        case 2: value = ["n": ["m": leaf], "x": 1]
        default: value = ["x": ["n": leaf]]
        }
        guard let priority else { return value }
        guard case .object(var members) = value else { return [".priority": priority, ".value": value] }
        members[".priority"] = priority
        return .object(members)
    }

    private static func query(_ random: inout SeededRandom) -> PlainQuery {
        var query = PlainQuery()
        query.order =
            [.key, .key, .value, .priority, .child(["n"]), .child(["n", "m"]), .child(["x", "n"])]
            .randomElement(using: &random) ?? .key
        let isKey = if case .key = query.order { true } else { false }
        let isPriority = if case .priority = query.order { true } else { false }
        func bound(_ random: inout SeededRandom) -> PlainQuery.Bound {
            let key = keys.randomElement(using: &random) ?? "a"
            if isKey { return .init(value: .string(key)) }
            let values: [JSONValue] = isPriority ? [nil, 1, 2, "p", "q"] : leaves + [nil]
            return .init(
                value: values.randomElement(using: &random) ?? 1, key: Bool.random(using: &random) ? key : nil)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: query.bounds["equalTo"] = bound(&random)
        case 1: break
        default:
            if let name = ["startAt", "startAfter", nil].randomElement(using: &random) ?? nil {
                query.bounds[name] = bound(&random)
            }
            if let name = ["endAt", "endBefore", nil].randomElement(using: &random) ?? nil {
                query.bounds[name] = bound(&random)
            }
        }
        if let name = ["limitToFirst", "limitToLast", nil].randomElement(using: &random) ?? nil {
            query.limit = (name, Int.random(in: 1...6, using: &random))
        }
        return query
    }

    @Test(arguments: 1...30) func `a query finds what sorting everything finds`(_ seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let count = Int.random(in: 0...QueryTests.keys.count, using: &random)
        var children = QueryTests.keys.shuffled(using: &random).prefix(count).map {
            (key: $0, value: QueryTests.child(&random))
        }
        // Without it, a small table may be an array.
        children.append((key: "always", value: 1))
        let members = children.map {
            (key: WireKey(unchecked: $0.key), value: Node(canonical: JSONWriter.text($0.value)))
        }
        let branch = try #require(Node(children: members))
        let packed = Node.packed(row: 0, text: branch.text)
        for _ in 0..<100 {
            let query = QueryTests.query(&random)
            let wire = try #require(try Query(parameters: query.parameters))
            let expected = query.keys(children)
            #expect(Set(branch.selected(by: wire).map(\.key.text)) == expected, "\(query.parameters)")
            #expect(Set(packed.selected(by: wire).map(\.key.text)) == expected, "\(query.parameters)")
        }
    }

    @Test(arguments: 1...20) func `an index that is kept up finds what sorting everything finds`(_ seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        var children: [String: JSONValue] = [:]
        var (root, rows) = (Root(""), RowChanges(RowNumbers(next: 1)))
        let list = try WirePath(parsing: "l")
        // Many enough for a branch.
        for number in 0..<200 { children["k\(number)"] = ["pad": .string(String(repeating: "p", count: 50))] }
        let all = JSONWriter.text(.object(children))
        _ = root.set(list, to: Node(canonical: all), &rows)
        let orders =
            try [.key, .value, .priority].map { $0 as Query.Order }
            + ["n", "n/m", "x/n"].map { .child(try WirePath(parsing: $0)) }
        for order in orders { root.beginIndex(order, at: list) }
        let made = orders.compactMap { root.madeIndex($0, at: list) }
        for step in 0..<150 {
            if step == 20 { for index in made { root.finishIndex(index) } }
            let key = try #require((QueryTests.keys + ["k1", "k2"]).randomElement(using: &random))
            let child: JSONValue? = Int.random(in: 0..<4, using: &random) == 0 ? nil : QueryTests.child(&random)
            children[key] = child
            _ = root.set(
                list.appending(WireKey(unchecked: key)), to: child.map { Node(canonical: JSONWriter.text($0)) }, &rows)
            guard step > 30 else { continue }
            let query = QueryTests.query(&random)
            let wire = try #require(try Query(parameters: query.parameters))
            let found = root.selected(at: list, by: wire, check: {}).map(\.key.text)
            #expect(Set(found) == query.keys(children.map { ($0.key, $0.value) }), "\(query.parameters)")
            #expect(root.isOrdered(wire.order, at: list))
        }
        #expect(root.indexCount == orders.count)
        _ = root.set(list, to: Node(canonical: Array("1".utf8)), &rows)
        #expect(root.indexCount == 0)
    }

    @Test func `an index of what was replaced as a whole meanwhile is not taken for the next one`() throws {
        var (root, rows) = (Root(""), RowChanges(RowNumbers(next: 1)))
        let list = try WirePath(parsing: "l")
        _ = root.set(list, to: Node(canonical: Array(#"{"a":1,"b":2}"#.utf8)), &rows)
        root.beginIndex(.value, at: list)
        let old = try #require(root.madeIndex(.value, at: list))
        _ = root.set(list, to: Node(canonical: Array(#"{"c":3}"#.utf8)), &rows)
        root.beginIndex(.value, at: list)
        root.finishIndex(old)
        #expect(!root.isOrdered(.value, at: list))
        root.finishIndex(try #require(root.madeIndex(.value, at: list)))
        let query = try #require(try Query(parameters: [("orderBy", "\"$value\""), ("limitToLast", "2")]))
        #expect(root.isOrdered(.value, at: list))
        #expect(root.selected(at: list, by: query, check: {}).map(\.key.text) == ["c"])
    }

    @Test func `a limit among very many children keeps the right ones`() throws {
        let members = (0..<5000).map { number in
            (key: WireKey(unchecked: "k\(number)"), value: Node(canonical: Array(String(number * 7919 % 5000).utf8)))
        }
        let node = try #require(Node(children: members))
        let first = try #require(try Query(parameters: [("orderBy", "\"$value\""), ("limitToFirst", "70")]))
        let last = try #require(
            try Query(parameters: [("orderBy", "\"$value\""), ("limitToLast", "3"), ("endAt", "4000")]))
        #expect(node.selected(by: first).compactMap { $0.value.leaf?.whole }.sorted() == (0..<70).map(Int64.init))
        #expect(node.selected(by: last).compactMap { $0.value.leaf?.whole }.sorted() == [3998, 3999, 4000])
    }
}
