import FirebaseWire
import TestSupport
import Testing

@testable import DatabaseTree

struct ChildrenTests {
    /// A leaf, or a branch of one.
    private func child(_ size: Int, isBranch: Bool) -> Node {
        let leaf = Node.packed(row: Int64(size), text: Array("\"\(String(repeating: "x", count: size))\"".utf8))
        guard isBranch else { return leaf }
        var children = Children()
        children.update(WireKey(unchecked: "inner")) { $0 = leaf }
        return .branch(children)
    }

    private func pairs(_ children: Children) -> [String] {
        var found: [String] = []
        children.forEach { key, child in
            found.append("\(key) \(String(decoding: child.text, as: UTF8.self))")
            return true
        }
        return found
    }

    /// Keys of several kinds: short ones, ones that begin alike, ones of several bytes a letter.
    private func key(_ number: Int, kind: Int) -> String {
        switch kind {
        case 0: "k\(number)"
        case 1: String(repeating: "common", count: 20) + String(number * 7919 % 1000)
        default: number.isMultiple(of: 2) ? "é\(number)" : "e\u{301}\u{1F3AC}\(number)"
        }
    }

    @Test(arguments: 0..<12) func `it does what a dictionary does, in order, and copies stay as they were`(
        _ seed: Int
    ) {
        var random = SeededRandom(UInt64(seed))
        var children = Children()
        var model: [String: Node] = [:]
        var copies: [(Children, [String: Node])] = []
        let (range, largest) = ([20, 300, 1000][seed % 3], [10, 300, 6000][seed / 4])
        for step in 0..<2000 {
            let key = key(Int.random(in: 0..<range, using: &random), kind: seed % 3)
            let removes = step / 500 % 2 == 1 ? 7 : 2
            let isGone = Int.random(in: 0..<10, using: &random) < removes
            let size = Int.random(in: 0..<largest, using: &random)
            let new = isGone ? nil : child(size, isBranch: Int.random(in: 0..<8, using: &random) == 0)
            let old = children.update(WireKey(unchecked: key)) { slot in
                defer { slot = new }
                return slot
            }
            #expect(old?.text == model[key]?.text)
            model[key] = new
            if step % 500 == 0 { copies.append((children, model)) }
        }
        copies.append((children, model))
        for (children, model) in copies {
            let expected = model.sorted { WireKey(unchecked: $0.key) < WireKey(unchecked: $1.key) }
                .map { "\($0.key) \(String(decoding: $0.value.text, as: UTF8.self))" }
            let isSame = pairs(children) == expected
            #expect(isSame && children.count == model.count && children.isEmpty == model.isEmpty)
            #expect(model.allSatisfy { children[WireKey(unchecked: $0.key)]?.text == $0.value.text })
        }
    }

    @Test(arguments: [false, true], ["", "k0500", "k05005", "k0999", "z"])
    func `a cursor starts at a key or after it`(_ hasBranches: Bool, _ start: String) {
        var children = Children()
        let keys = (0..<1000).map { "k" + String(repeating: "0", count: 4 - String($0).count) + String($0) }
        for (index, key) in keys.enumerated() {
            let child = child(20, isBranch: hasBranches && index.isMultiple(of: 5))
            children.update(WireKey(unchecked: key)) { $0 = child }
        }
        var cursor = Children.Cursor(children, from: WireKey(unchecked: start))
        var found: [String] = []
        while let (key, _) = cursor.next() { found.append(key.text) }
        #expect(found == keys.filter { $0 >= start })
    }

    @Test func `rows and texts of any length are kept`() {
        var children = Children()
        let sizes = [0, 1, 4000, 4096, 100_000, 3, 70_000]
        for size in sizes { children.update(WireKey(unchecked: "s\(size)")) { $0 = child(size, isBranch: false) } }
        for size in sizes {
            guard case .packed(let row, let text)? = children[WireKey(unchecked: "s\(size)")] else {
                Issue.record("\(size) is gone")
                continue
            }
            #expect(row == Int64(size) && text.count == size + 2)
        }
    }

    @Test func `what comes behind a branch in falling order shares its memory`() {
        var children = Children()
        children.update(WireKey(unchecked: "a")) { $0 = child(1, isBranch: true) }
        for number in (0..<200).reversed() {
            children.update(WireKey(unchecked: "b\(number)")) { $0 = child(10, isBranch: false) }
        }
        #expect(children.blockCount < 10)
    }

    @Test func `children that are removed leave no small blocks behind`() {
        var children = Children()
        for number in 0..<2000 { children.update(WireKey(unchecked: "k\(number)")) { $0 = child(40, isBranch: false) } }
        for number in 0..<2000 where !number.isMultiple(of: 50) {
            children.update(WireKey(unchecked: "k\(number)")) { $0 = nil }
        }
        #expect(children.count == 40 && children.blockCount < 12)
    }

    @Test(arguments: 0..<9) func `many at once are inserted as one by one, and none twice`(_ seed: Int) {
        var random = SeededRandom(UInt64(seed))
        let numbers = (0..<900).shuffled(using: &random)
        let largest = [10, 300, 6000][seed / 3]
        var (single, many) = (Children(), Children())
        for number in numbers.prefix(10) {
            let key = WireKey(unchecked: key(number, kind: seed % 3))
            let child = child(5, isBranch: number.isMultiple(of: 3))
            single.update(key) { $0 = child }
            many.update(key) { $0 = child }
        }
        var row: Int64 = 0
        for range in [10..<20, 20..<500, 500..<900] {
            var batch: [LoadedChild] = []
            for number in numbers[range] {
                row += 1
                let size = Int.random(in: 0..<largest, using: &random)
                let (key, text) = (WireKey(unchecked: key(number, kind: seed % 3)), child(size, isBranch: false).text)
                batch.append(LoadedChild(key: key, row: row, text: text))
            }
            batch.sort { $0.key < $1.key }
            for child in batch { single.update(child.key) { $0 = .packed(row: child.row, text: child.text) } }
            #expect(many.insert(batch[...]) == nil)
            #expect(many.insert(batch.prefix(1)) == batch[0].row)
        }
        let twice = (7...8).map { LoadedChild(key: WireKey(unchecked: "new"), row: $0, text: [0x31]) }
        #expect(many.insert(twice[...]) == 8)
        let isSame = pairs(single) == pairs(many)
        #expect(isSame && single.count == many.count)
    }
}
