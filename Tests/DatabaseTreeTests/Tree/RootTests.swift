import FirebaseWire
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseTree

struct RootTests {
    /// Sets `path` in a plain value, by the book.
    private func setting(_ value: JSONValue?, _ path: ArraySlice<String>, _ new: JSONValue?) -> JSONValue? {
        guard let key = path.first else { return new }
        var members: [String: JSONValue] = [:]
        switch value {
        case .object(let present): members = present
        case .array(let elements): for (index, element) in elements.enumerated() { members[String(index)] = element }
        default: if new == nil { return value }
        }
        members[key] = setting(members[key], path.dropFirst(), new)
        return .object(members)
    }

    private func randomValue(_ random: inout SeededRandom, depth: Int) -> JSONValue? {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return nil
        case 1: return .bool(true)
        case 2: return .integer(Int64.random(in: -5..<5, using: &random))
        case 3: return .string(String(repeating: "é\"", count: Int.random(in: 0..<1500, using: &random)))
        default:
            guard depth > 0 else { return .number(0.5) }
            var members: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                let key = ["0", "1", "2", "a", "b", "k\"", "é"].randomElement(using: &random) ?? "a"
                members[key] = randomValue(&random, depth: depth - 1)
            }
            return .object(members)
        }
    }

    @Test(arguments: 1...20) func `the tree, its rows and a plain value stay the same`(_ seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        var root = Root("db")
        var model: JSONValue?
        var stored: [Int64: (WirePath, [UInt8])] = [:]
        let numbers = RowNumbers(next: 1)
        for _ in 0..<150 {
            let path = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                ["0", "1", "a", "b", "k\"", "é"].randomElement(using: &random) ?? "a"
            }
            let value = randomValue(&random, depth: 3)?.pruned
            var rows = RowChanges(numbers)
            let before = model
            let node = value.map { Node(canonical: JSONWriter.text($0)) }
            let changed = root.set(WirePath(path.map { WireKey(unchecked: $0) }), to: node, &rows)
            model = setting(model, path[...], value)?.pruned
            for change in rows.changes {
                switch change {
                case .put(let row, _, let path, let text): stored[row] = (path, text)
                case .remove(let row): stored[row] = nil
                case .keep: continue
                }
            }
            #expect(changed || before == model)
            let text = root.node?.text
            #expect(text == model.map { JSONWriter.text($0) })
            #expect(Node.etag(root.node) == text.map { ETag(of: $0) } ?? .null)
            var loaded = Root("db")
            for (row, (path, text)) in stored {
                let isLoaded = loaded.load(row: row, path: path, text: text)
                #expect(isLoaded)
            }
            #expect(loaded.node?.text == text)
        }
    }
}
