import FirebaseWire
import SyncModel
import TestSupport
import Testing

@testable import DatabaseTree

/// A database seen through an outline is what it is once the write is stored.
struct OutlookTests {
    private static let now: Int64 = 1_700_000_000_000

    // MARK: Random writes

    private static func blank(_ random: inout SeededRandom) -> String { random.pick(["", "", "", " ", "\n\t "]) }

    private static func key(_ random: inout SeededRandom) -> String {
        let number = random.below(5)
        return random.pick(["k\(number)", "\(number)", #"\u006b\#(number)"#, "é\(number)"])
    }

    private static func value(_ random: inout SeededRandom, _ depth: Int) -> String {
        switch random.below(depth > 3 ? 7 : 11) {
        case 0..<4:
            return random.pick([
                "1", "true", #""\u00e9,{\ud83c\udfac""#, "1.5e3", "-0", "12345678901234567890123",
                #"{".sv":"timestamp"}"#,
                #"{".sv":{"increment":2}}"#, #"{".value":3,".priority":1}"#, #"{".value":{".sv":"timestamp"}}"#,
            ])
        case 4, 5: return random.pick(["null", "{}", "[]", "[null, {}]", #"{".priority":3}"#, #"{".value":null}"#])
        case 6: return #"{".priority":\#(random.pick(["null", "2", #""p""#])),".value":"\#(random.below(9))"}"#
        case 7:
            let elements = (0..<random.below(7)).map { _ in value(&random, depth + 1) + blank(&random) }
            return "[\(blank(&random))\(elements.joined(separator: ","))]"
        default:
            var members = (0..<random.below(7)).map { _ in
                #""\#(key(&random))"\#(blank(&random)):\#(blank(&random))\#(value(&random, depth + 1))\#(blank(&random))"#
            }
            if random.chance(20) { members.append(#"".priority" : \#(random.pick(["1", #""high""#, "null"]))"#) }
            if random.chance(2) { members.append(#"".value":1"#) }
            return "{\(members.joined(separator: ","))\(blank(&random))}"
        }
    }

    private static func patch(_ random: inout SeededRandom) -> String {
        let members = (0..<random.below(7)).map { _ in
            var path = (0...random.below(3)).map { _ in key(&random) }.joined(
                separator: random.pick(["/", "/", "//", #"\/"#]))
            if random.chance(10) { path = "/" + path + "/" }
            guard !random.chance(15) else { return #""\#(path)/.priority":\#(random.pick(["1", "null", #""x""#]))"# }
            return #""\#(path)":\#(random.chance(40) ? "null" : value(&random, 2))"#
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func before(_ random: inout SeededRandom) throws -> Root {
        var (root, rows) = (Root(""), RowChanges(RowNumbers(next: 1)))
        root.hasPriorities = true
        let text = Array(value(&random, 0).utf8)
        let body = try? text.withUnsafeBufferPointer { (text) throws(Refusal) in try PutBody(text, depth: 0) }
        guard let body else { return root }
        let value = PendingValue(body.value, hasServerValues: body.hasServerValues)
        _ = root.set(.root, to: value.resolved(now: 1) { _ in nil }, &rows)
        return root
    }

    // MARK: Comparing

    private func after(_ before: Root, _ entries: [(path: WirePath, value: PendingValue)]) -> Root {
        var (root, rows) = (before, RowChanges(RowNumbers(next: 1000)))
        for (path, value) in entries {
            let node = value.resolved(now: OutlookTests.now) { root.value(at: path.appending($0))?.leaf }
            _ = root.set(path, to: node, &rows)
        }
        return root
    }

    private func children(_ place: Outlook) -> [WireKey: Outlook] {
        var children: [WireKey: Outlook] = [:]
        place.forEachChild { key, child in
            #expect(children.updateValue(child, forKey: key) == nil && child.exists)
            return true
        }
        return children
    }

    private func compare(_ place: Outlook, _ expected: Outlook, _ path: WirePath, _ note: String) {
        #expect(place.exists == expected.exists, "\(path) \(note)")
        #expect(place.leaf == expected.leaf, "\(path) \(note)")
        #expect(place.priority == expected.priority, "\(path) \(note)")
        #expect(place.hasChildren == expected.hasChildren, "\(path) \(note)")
        let (mine, its) = (children(place), children(expected))
        #expect(mine.keys.sorted() == its.keys.sorted(), "\(path) \(note)")
        guard path.keys.count < 6 else { return }
        for key in Set(mine.keys).union(its.keys) {
            compare(place.child(key), expected.child(key), path.appending(key), note)
            if let mine = mine[key], let its = its[key] { compare(mine, its, path.appending(key), note) }
        }
        for key in ["none", "k", "9", "01"] {
            let key = WireKey(unchecked: key)
            #expect(place.child(key).exists == expected.child(key).exists, "\(path)/\(key) \(note)")
        }
    }

    private func outcome<Value>(_ body: () throws(Refusal) -> Value) -> Result<Value, Refusal> {
        do throws(Refusal) { return .success(try body()) } catch { return .failure(error) }
    }

    @Test(arguments: 1...150) func `a put`(_ seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let (before, text) = (try OutlookTests.before(&random), Array(OutlookTests.value(&random, 0).utf8))
        let base = try WirePath(parsing: random.pick(["", "k1", "k1/k2", "new/one", "1/k3"]))
        let note =
            "\(String(decoding: text, as: UTF8.self)) over \(before.node.map { String(decoding: $0.text, as: UTF8.self) } ?? "")"
        let whole = text.withUnsafeBufferPointer { bytes in
            outcome { () throws(Refusal) in try PutBody(bytes, depth: base.keys.count) }
        }
        for run in [4, 24, 400] {
            let outline = outcome { () throws(Refusal) in try Outline(put: text, at: base, run: run) }
            switch (whole, outline) {
            case (.failure(let refusal), .failure(let own)): #expect(own == refusal, "\(note)")
            case (.success(let body), .success(let outline)):
                #expect(outline.hasIncrement || !body.value.hasIncrement, "\(note)")
                let value = PendingValue(body.value, hasServerValues: body.hasServerValues)
                let outlook = Outlook(of: outline, on: before, now: OutlookTests.now)
                compare(outlook, Outlook(after(before, [(base, value)]).node), .root, note)
            default: Issue.record("\(whole) \(outline) \(note)")
            }
        }
    }

    @Test(arguments: 1...300) func `a patch`(_ seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let (before, text) = (try OutlookTests.before(&random), Array(OutlookTests.patch(&random).utf8))
        let base = try WirePath(parsing: random.pick(["", "", "k1", "new/one"]))
        let note =
            "\(String(decoding: text, as: UTF8.self)) at \(base) over \(before.node.map { String(decoding: $0.text, as: UTF8.self) } ?? "")"
        let whole = text.withUnsafeBufferPointer { bytes in
            outcome { () throws(Refusal) in try PatchBody(bytes, base: base) }
        }
        for run in [4, 24, 400] {
            let outline = outcome { () throws(Refusal) in try Outline(patch: text, at: base, run: run) }
            switch (whole, outline) {
            case (.failure(let refusal), .failure(let own)): #expect(own == refusal, "\(note)")
            case (.success(let body?), .success(let outline?)):
                var places: [WirePath] = []
                #expect(
                    outline.forEachPlace { place in
                        places.append(place)
                        return true
                    })
                #expect(places == body.entries.map { base.appending($0.path.node) }, "\(note)")
                let entries = body.entries.map {
                    (base.appending($0.path), PendingValue($0.value, hasServerValues: $0.value.hasServerValues))
                }
                let outlook = Outlook(of: outline, on: before, now: OutlookTests.now)
                compare(outlook, Outlook(after(before, entries).node), .root, note)
            default: Issue.record("\(whole) \(outline) \(note)")
            }
        }
    }
}
