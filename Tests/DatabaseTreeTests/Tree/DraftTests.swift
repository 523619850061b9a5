import FirebaseWire
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseTree

/// A file as the rows of it say, with those of a draft that nobody reads before it is finished.
private struct StoredRows {
    var rows: [Int64: (WirePath, [UInt8])] = [:]
    var replaced: Set<Int64> = []

    mutating func take(_ changes: [RowChange]) {
        for change in changes {
            switch change {
            case .put(let row, _, let path, let text): rows[row] = (path, text)
            case .remove(let row): rows[row] = nil
            case .keep: continue
            }
        }
    }

    mutating func stage(_ changes: [RowChange], _ draft: Draft) {
        for change in changes {
            switch change {
            case .put(let row, _, let path, let text):
                #expect(draft.rows.isOwn(row))
                rows[row] = (path, text)
            case .remove(let row):
                if draft.rows.isOwn(row) { rows[row] = nil } else { replaced.insert(row) }
            case .keep(let row): replaced.remove(row)
            }
        }
    }

    mutating func finish() {
        for row in replaced { rows[row] = nil }
        replaced = []
    }

    /// Whether a start makes the same tree of them.
    func holds(_ root: Root) -> Bool {
        var loaded = Root("db")
        for (row, (path, text)) in rows where !loaded.load(row: row, path: path, text: text) { return false }
        return loaded.node?.text == root.node?.text
    }
}

struct DraftTests {
    private static let keys = ["a", "b", "c", "d"]

    private static func path(_ random: inout SeededRandom, _ depth: ClosedRange<Int>) -> WirePath {
        WirePath(
            (0..<Int.random(in: depth, using: &random)).map { _ in
                WireKey(unchecked: keys.randomElement(using: &random) ?? "a")
            })
    }

    /// Small and large ones, and nothing now and then.
    private static func value(_ random: inout SeededRandom) -> Node? {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return nil
        case 1: return Node(canonical: Array("\(Int.random(in: 0..<3, using: &random))".utf8))
        case 2:
            let text = String(repeating: "x", count: 9000)
            return Node(canonical: Array(#"{"a":{"b":"\#(text)","c":1},"d":"\#(text)"}"#.utf8))
        default:
            let members = keys.filter { _ in Bool.random(using: &random) }.map { #""\#($0)":{"c":1,"d":2}"# }
            return members.isEmpty ? nil : Node(canonical: Array("{\(members.joined(separator: ","))}".utf8))
        }
    }

    private static func entries(_ random: inout SeededRandom) -> [Draft.Entry] {
        var entries: [Draft.Entry] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let path = path(&random, 0...4)
            guard !entries.contains(where: { $0.path.contains(path) || path.contains($0.path) }) else { continue }
            entries.append((path, value(&random)))
        }
        return entries.sorted { $0.path < $1.path }
    }

    @Test(arguments: 1...24) func `a draft is what the writer would have made of it, whatever others write meanwhile`(
        _ seed: Int
    ) {
        var random = SeededRandom(UInt64(seed))
        let numbers = RowNumbers(next: 1)
        var (root, stored) = (Root("db"), StoredRows())
        func write(_ path: WirePath, _ value: Node?) {
            var rows = RowChanges(numbers)
            _ = root.set(path, to: value, &rows)
            stored.take(rows.changes)
        }
        for _ in 0..<25 {
            for _ in 0..<3 { write(Self.path(&random, 0...3), Self.value(&random)) }
            let entries = Self.entries(&random)
            var draft = Draft(entries, hasPriorities: false, isRelative: false, on: root, numbers: numbers)
            stored.stage(draft.takenRows(), draft)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                var written: [WirePath] = []
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    written.append(Self.path(&random, 1...4))
                    write(written[written.count - 1], Self.value(&random))
                }
                let follows = draft.follow(written, to: root)
                #expect(follows)
                stored.stage(draft.takenRows(), draft)
                // Until it is finished a start finds what the others made.
                #expect(stored.withoutDraft(draft).holds(root))
            }
            var (expected, rows) = (root, RowChanges.trial)
            for (path, value) in entries { _ = expected.set(path, to: value, &rows) }
            let isExpected = draft.after.node?.text == expected.node?.text
            #expect(isExpected)
            stored.finish()
            root = draft.after
            #expect(stored.holds(root))
        }
    }

    @Test func `what adds to something follows nobody who writes there`() {
        let numbers = RowNumbers(next: 1)
        let (here, elsewhere) = (WirePath([WireKey(unchecked: "a")]), WirePath([WireKey(unchecked: "b")]))
        let entries: [Draft.Entry] = [(here, Node(canonical: Array("1".utf8)))]
        let before = Root("db")
        for (path, isGood) in [(here, false), (elsewhere, true)] {
            var draft = Draft(entries, hasPriorities: false, isRelative: true, on: before, numbers: numbers)
            var (now, rows) = (before, RowChanges(numbers))
            _ = now.set(path, to: Node(canonical: Array("2".utf8)), &rows)
            let follows = draft.follow([path], to: now)
            #expect(follows == isGood)
        }
    }

    @Test func `a draft follows into an index, and not where one is made`() throws {
        let numbers = RowNumbers(next: 1)
        let order = Query.Order.child(WirePath([WireKey(unchecked: "n")]))
        let list = WirePath([WireKey(unchecked: "l")])
        func place(_ number: Int) -> WirePath { list.appending(WireKey(unchecked: "k\(number)")) }
        func record(_ number: Int) -> Node { Node(canonical: Array(#"{"n":\#(number)}"#.utf8)) }
        var (root, rows) = (Root("db"), RowChanges(numbers))
        for number in 0..<2000 { _ = root.set(place(number), to: record(number), &rows) }
        root.beginIndex(order, at: list)
        root.finishIndex(try #require(root.madeIndex(order, at: list)))
        let entries = (500..<3000).map { (place($0), record(10_000 - $0)) }.sorted { $0.0 < $1.0 }
        var draft = Draft(entries, hasPriorities: false, isRelative: false, on: root, numbers: numbers)
        for (number, value) in [(7, 77), (600, 5), (5000, 8)] {
            _ = root.set(place(number), to: record(value), &rows)
        }
        let follows = draft.follow([7, 600, 5000].map(place), to: root)
        #expect(follows)
        let query = Query(order)
        let found = draft.after.selected(at: list, by: query, check: {})
        #expect(draft.after.isOrdered(order, at: list))
        var fresh = draft.after
        fresh.forgetIndexes()
        fresh.beginIndex(order, at: list)
        fresh.finishIndex(try #require(fresh.madeIndex(order, at: list)))
        #expect(found.map(\.key) == fresh.selected(at: list, by: query, check: {}).map(\.key))
        #expect(found.count == 3001)
        root.beginIndex(.value, at: list)
        let followsIndex = draft.follow([], to: root)
        #expect(!followsIndex)
    }
}

extension StoredRows {
    /// What a start leaves of them.
    fileprivate func withoutDraft(_ draft: Draft) -> StoredRows {
        var stored = self
        stored.rows = rows.filter { !draft.rows.isOwn($0.key) }
        return stored
    }
}
