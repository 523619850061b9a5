import FirebaseWire
import TestSupport
import Testing

@testable import DatabaseTree

struct PositionCodeTests {
    private static let long = String(repeating: "é", count: 150)
    private static let values: [SortValue] =
        [.null, .bool(false), .bool(true), .object]
        + numbers.map { .number($0) }
        + texts.map { .string($0) }
    private static let numbers: [Double] = [
        -.infinity, -1e300, -2, -1.5, -0.0, 0, .leastNonzeroMagnitude, 1, 1.5, 2, 1e300,
    ]
    private static let texts: [String] = [
        "", "\0", "\0\0", "\0a", "a", "a\0", "a\u{1}", "aa", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "😀", "\u{10FFFF}",
        "\u{10FFFF}a", "\u{10FFFF}\u{E000}", long, long + "a", long + "b",
    ]
    private static let keys = [
        "0", "-1", "1", "01", "10", "-2147483648", "2147483647", "2147483648", "a", "ab", "\u{FF5E}", "😀",
        "a\u{10FFFF}b",
    ].map { WireKey(unchecked: $0) }

    @Test func `codes stand in the order of positions, and keep the key`() {
        let positions = PositionCodeTests.values.flatMap { value in
            PositionCodeTests.keys.map { Query.Position(value: value, key: $0) }
        }
        let query = Query(.value)
        for left in positions {
            let code = PositionCode.code(left)
            #expect(PositionCode.parts(code).key == left.key)
            #expect(PositionCode.parts(code).value == PositionCode.value(left.value))
            for right in positions where PositionCode.isCut(left.value) == false || left.value == right.value {
                guard !PositionCode.isCut(right.value) || left.value == right.value else { continue }
                #expect((code < PositionCode.code(right)) == query.precedes(left, right), "\(left) \(right)")
            }
        }
    }

    @Test func `strings that are cut stand together behind their beginning`() {
        let (first, second) = (SortValue.string(Self.long + "a"), SortValue.string(Self.long + "b"))
        #expect(PositionCode.isCut(first) && PositionCode.value(first) == PositionCode.value(second))
        #expect(PositionCode.value(.string(String(Self.long.prefix(100)))) < PositionCode.value(first))
    }

    @Test func `a string is cut behind a whole character`() {
        let start = String(repeating: "x", count: 199)
        let texts = [start, start + "x", start + "xb", start + "z" + start, start + "é", start + "éé", start + "😀"]
        for (left, right) in zip(texts, texts.dropFirst()) {
            let codes = [left, right].map { PositionCode.value(.string($0)) }
            #expect(codes[0] < codes[1] || (codes[0] == codes[1] && PositionCode.isCut(.string(left))), "\(right)")
        }
    }

    @Test func `what is cut is sorted by all of it`() throws {
        var (root, rows) = (Root(""), RowChanges(RowNumbers(next: 1)))
        let list = try WirePath(parsing: "l")
        for (key, end) in [("a", "3"), ("b", "1"), ("c", "2"), ("d", "")] {
            let text = Array("\"\(end.isEmpty ? "zz" : Self.long + end)\"".utf8)
            _ = root.set(list.appending(WireKey(unchecked: key)), to: Node(canonical: text), &rows)
        }
        root.beginIndex(.value, at: list)
        let made = try #require(root.madeIndex(.value, at: list))
        root.finishIndex(made)
        let found = { (query: Query) in root.selected(at: list, by: query, check: {}).map(\.key.text) }
        // An e with an accent is behind z.
        #expect(found(Query(.value, limit: .init(3))) == ["d", "b", "c"])
        #expect(found(Query(.value, from: .init(.string(Self.long + "2")), limit: .init(1))) == ["c"])
        #expect(
            found(Query(.value, to: .init(.string(Self.long + "2"), inclusive: false), limit: .init(1, fromEnd: true)))
                == ["b"])
    }
}
