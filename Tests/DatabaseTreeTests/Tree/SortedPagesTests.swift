import FirebaseWire
import TestSupport
import Testing

@testable import DatabaseTree

struct SortedPagesTests {
    @Test(arguments: [1, 2, 3, 4, 5]) func `it does what a dictionary does, in order, and copies stay as they were`(
        _ seed: UInt64
    ) {
        var random = SeededRandom(seed)
        var pages = SortedPages<Int>()
        var model: [String: Int] = [:]
        var copies: [(SortedPages<Int>, [String: Int])] = []
        let range = [20, 300, 3000][Int(seed) % 3]
        for step in 0..<6000 {
            let key = "k\(Int.random(in: 0..<range, using: &random))"
            let removes = step / 1500 % 2 == 1 ? 7 : 2
            let value = Int.random(in: 0..<10, using: &random) < removes ? nil : step
            let old = pages.update(WireKey(unchecked: key)) { slot in
                defer { slot = value }
                return slot
            }
            #expect(old == model[key])
            model[key] = value
            if step % 1000 == 0 { copies.append((pages, model)) }
        }
        copies.append((pages, model))
        for (pages, model) in copies {
            var found: [(String, Int)] = []
            pages.forEach { key, value in
                found.append((key.text, value))
                return true
            }
            #expect(found.map(\.0) == model.keys.sorted())
            #expect(found.allSatisfy { model[$0.0] == $0.1 })
            #expect(pages.count == model.count && pages.isEmpty == model.isEmpty)
            #expect(model.allSatisfy { pages[WireKey(unchecked: $0.key)] == $0.value })
        }
    }

    @Test(arguments: ["", "k0500", "k05005", "k0999", "z"]) func `a cursor starts at a key or before it`(
        _ start: String
    ) {
        var pages = SortedPages<Int>()
        let keys = (0..<1000).map { "k" + String(repeating: "0", count: 4 - String($0).count) + String($0) }
        for (index, key) in keys.enumerated() { pages.update(WireKey(unchecked: key)) { $0 = index } }
        let floor = pages.floor(WireKey(unchecked: start))
        #expect(floor?.key.text == keys.last { $0 <= start } && floor?.value == keys.lastIndex { $0 <= start })
        var cursor = SortedPages<Int>.Cursor(pages, from: WireKey(unchecked: start))
        var found: [String] = []
        while let (key, _) = cursor.next() { found.append(key.text) }
        #expect(found == keys.filter { $0 >= (floor?.key.text ?? "") })
    }
}
