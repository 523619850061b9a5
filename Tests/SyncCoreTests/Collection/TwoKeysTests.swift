import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Two keys for one UUID: `docs/protocol.md` section 9.
struct TwoKeysTests {
    typealias Machine = MachineUnderTest

    private let upper = Machine.id(1).description
    private let lower = Machine.id(1).description.lowercased()

    @Test func `of two keys that nobody can read the upper-case one counts once both can be read`() throws {
        let machine = try Machine()
        let odd: [String: JSONValue] = ["title": "odd", "hasWatched": "no idea"]
        machine.fill(1)
        machine.server.put(upper, .record(fields: odd, stamps: nil))
        machine.server.put(lower, .record(fields: odd, stamps: nil))
        try machine.goLive(order: [Machine.id(0).description, upper, lower])
        #expect(try machine.record(1).state.remoteKey == nil)
    }

    /// The two keys in this order, each stamped or not; and which title wins.
    struct Pair: CustomTestStringConvertible, Sendable {
        var stamps: (upper: Stamp?, lower: Stamp?)
        var winner: String
        var testDescription: String {
            "\(stamps.upper == nil ? "app" : "node") beside \(stamps.lower == nil ? "app" : "node"): \(winner)"
        }
    }

    static let pairs = [
        Pair(stamps: (Machine.stamp(50_000), Machine.stamp(40_000)), winner: "lower"),
        Pair(stamps: (Machine.stamp(40_000), Machine.stamp(50_000)), winner: "upper"),
        Pair(stamps: (Machine.stamp(40_000), nil), winner: "lower"),
        Pair(stamps: (nil, nil), winner: "lower"),
    ]

    @Test(arguments: pairs, [true, false])
    func `of two keys in a snapshot the upper-case one stays, the other is merged and removed`(
        pair: Pair, upperFirst: Bool
    ) throws {
        let machine = try Machine()
        machine.fill(1)
        machine.server.put(upper, Machine.film(1, "upper", pair.stamps.upper))
        machine.server.put(lower, Machine.film(1, "lower", pair.stamps.lower))
        try machine.goLive(order: [Machine.id(0).description] + (upperFirst ? [upper, lower] : [lower, upper]))
        try machine.settleWithPauses()
        #expect(machine.server.keys().filter { $0 != Machine.id(0).description } == [upper])
        // Of two that apps wrote, the one that was shown later was written later.
        let winner = upperFirst || pair.stamps.upper != nil ? pair.winner : "upper"
        #expect(machine.titleThere(upper) == winner)
        #expect(try machine.title(1) == winner && machine.record(1).state.remoteKey == nil)
        #expect(try machine.counts().pending == 0 && machine.counts().records == 2)
    }

    /// A machine that knows the first of these keys; the other one has appeared since.
    private func appearing(_ keys: [String], _ pair: Pair) throws -> Machine {
        func film(_ key: String) -> RemoteValue {
            key == upper
                ? Machine.film(1, "upper", pair.stamps.upper) : Machine.film(1, "lower", pair.stamps.lower)
        }
        let machine = try Machine()
        machine.server.put(keys[0], film(keys[0]))
        try machine.goLive()
        machine.server.put(keys[1], film(keys[1]))
        return machine
    }

    @Test(arguments: pairs)
    func `so it is when the second key appears later`(pair: Pair) throws {
        for keys in [[upper, lower], [lower, upper]] {
            let machine = try appearing(keys, pair)
            try machine.tell(keys[1])
            try machine.settleWithPauses()
            #expect(machine.server.keys() == [upper], "\(keys)")
            #expect(try machine.title(1) == machine.titleThere(upper), "\(keys)")
            #expect(try machine.counts().pending == 0, "\(keys)")
        }
    }

    @Test(arguments: pairs) func `and when nobody but a comparison has seen it`(pair: Pair) throws {
        for keys in [[upper, lower], [lower, upper]] {
            let machine = try appearing(keys, pair)
            try machine.take(.secondKeys([keys[1], "no key"]))
            try machine.settleWithPauses()
            #expect(machine.server.keys() == [upper], "\(keys)")
            #expect(try machine.title(1) == machine.titleThere(upper), "\(keys)")
            // It is the only key now: the same word again must not take it away.
            try machine.take(.secondKeys([upper]))
            try machine.settle()
            #expect(machine.server.keys() == [upper])
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `of three keys the one that counts stays, and the others are merged one after the other`(
        isUpperGone: Bool, isStamped: Bool
    ) throws {
        let machine = try Machine()
        let mixed = lower.prefix(4) + upper.dropFirst(4)
        machine.put(1, Machine.film(1, "upper", isStamped ? Machine.stamp(40_000) : nil))
        try machine.goLive()
        machine.server.put(lower, Machine.film(1, "lower"))
        machine.server.put(String(mixed), .record(fields: ["title": "mixed", "year": 1979], stamps: nil))
        if isUpperGone { machine.put(1, .absent) }
        for key in [lower, String(mixed)] + (isUpperGone ? [upper] : []) { try machine.tell(key) }
        try machine.settleWithPauses()
        #expect(machine.server.keys().count == 1 && machine.open.isEmpty)
        #expect(try machine.record(1).state.view?.fields["year"] == 1979)
        #expect(try machine.title(1) == machine.titleThere(machine.server.keys()[0]))
    }

    /// A machine before which a second key has appeared, whose reading failed.
    private func waiting(keepsTombstones: Bool) throws -> Machine {
        let machine = try Machine(keepsTombstones: keepsTombstones)
        machine.fill(3)
        try machine.goLive()
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        try machine.answer(RemoteError(.unreachable, "no connection"))
        return machine
    }

    @Test(arguments: [true, false])
    func `a disappearance that is shown while a second key waits to be read is read too`(keepsTombstones: Bool) throws {
        let machine = try waiting(keepsTombstones: keepsTombstones)
        machine.server.put(lower, .absent)
        machine.server.put(upper, .absent)
        try machine.tell(upper)
        try machine.pass(5000)
        try machine.settle()
        #expect(try machine.title(1) == nil && machine.machine.unconfirmed == 0)
    }

    @Test func `where only the second key is left it is the record's own`() throws {
        let machine = try waiting(keepsTombstones: false)
        machine.server.put(upper, .absent)
        try machine.tell(upper)
        for _ in 0..<3 {
            try machine.pass(5000)
            try machine.settle()
        }
        let (title, key) = (try machine.title(1), try machine.record(1).state.remoteKey)
        #expect(title == "lower" && key == lower && machine.titleThere(lower) == "lower")
    }

    /// The upper-case one was deleted while no stream was open: to the others the lower-case one is the record.
    @Test(arguments: [true, false])
    func `what looks like a second key while the first is gone is not removed`(keepsTombstones: Bool) throws {
        let machine = try Machine(keepsTombstones: keepsTombstones)
        machine.fill(3)
        try machine.goLive()
        try machine.reconnect()
        machine.server.put(upper, .absent)
        machine.server.put(lower, Machine.film(1, "lower", Machine.stamp(100)))
        try machine.snapshot()
        try machine.settle()
        #expect(machine.calls.allSatisfy { !$0.isWrite })
        #expect(try machine.title(1) == "lower" && machine.record(1).state.remoteKey == lower)
        #expect(machine.titleThere(lower) == "lower")
    }

    /// In a snapshot, and in a stream, the upper-case key comes first.
    @Test(arguments: [nil, Machine.stamp(50_000)] as [Stamp?], [true, false])
    func `where only a lower-case key was known the upper-case one is kept, and the other merged into it`(
        stamp: Stamp?, isSnapshot: Bool
    ) throws {
        let machine = try Machine()
        machine.server.put(lower, Machine.film(1, "lower", stamp))
        try machine.goLive()
        #expect(try machine.record(1).state.remoteKey == lower)
        if isSnapshot { try machine.reconnect() }
        machine.server.put(upper, Machine.film(1, "upper"))
        if isSnapshot {
            try machine.snapshot(order: [upper, lower])
        } else {
            machine.server.put(lower, Machine.film(1, "again"))
            try machine.events([upper, lower].map { RemoteEvent.changed(machine.server.entry($0)) })
        }
        try machine.settleWithPauses()
        #expect(machine.server.keys() == [upper] && machine.server.keys(Machine.tombstones).isEmpty)
        // What the lower-case one held before is no edit of the other.
        #expect(machine.titleThere(upper) == (isSnapshot ? "upper" : "again"))
        #expect(try machine.title(1) == machine.titleThere(upper) && machine.record(1).state.remoteKey == nil)
    }

    @Test(arguments: [false, true])
    func `what was merged once is no edit again where its removal is tried again`(afterRestart: Bool) throws {
        let machine = try Machine.live(2)
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        try machine.answer()
        try machine.answer()
        #expect(try machine.title(1) == "lower")
        try machine.edit(Machine.update(1, "later"))
        let removal = try #require(machine.open.first?.call)
        guard case .remove(lower, _, _) = removal else { return #expect(Bool(false), "\(removal)") }
        try machine.answer(RemoteError(.unreachable, "no"))
        if afterRestart {
            try machine.restart()
            try machine.goLive()
        }
        for _ in 0..<3 {
            try machine.pass(60_000)
            try machine.settle()
        }
        #expect(machine.server.keys().filter { $0 != Machine.id(0).description } == [upper])
        #expect(try machine.title(1) == "later" && machine.titleThere(upper) == "later")
    }

    @Test func `what an app replaces under the upper-case key, of what stood under another, is in the ledger`() throws {
        let machine = try Machine()
        machine.server.put(lower, Machine.film(1, "lower", Machine.stamp(50_000)))
        try machine.goLive()
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        try machine.tell(lower)
        #expect(try machine.counts().pending == 0 && machine.counts().conflicts == 0)
        machine.server.put(upper, Machine.film(1, "upper"))
        try machine.tell(upper)
        try machine.settleWithPauses()
        #expect(try machine.title(1) == "upper" && machine.server.keys() == [upper])
        #expect(try machine.counts().conflicts == 1)
    }

    @Test func `so it is where a deleted record is put back under both keys at once`() throws {
        let machine = try Machine.live(3)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        machine.server.put(upper, Machine.film(1, "upper"))
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.events([upper, lower].map { RemoteEvent.changed(machine.server.entry($0)) })
        try machine.settleWithPauses()
        #expect(machine.titleThere(lower) == nil)
        #expect(try machine.title(1) != nil && machine.title(1) == machine.titleThere(upper))
    }

    @Test func `what an app writes anew under a second key that was gone meanwhile is an edit again`() throws {
        let machine = try Machine.live(2)
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        try machine.answer()
        try machine.answer()
        // Another node has removed it, and this one has died.
        machine.server.put(lower, .absent)
        try machine.restart()
        try machine.goLive()
        try machine.edit(Machine.update(1, "later"))
        try machine.settle()
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        try machine.settleWithPauses()
        #expect(machine.server.keys().filter { $0 != Machine.id(0).description } == [upper])
        #expect(try machine.title(1) == "lower" && machine.titleThere(upper) == "lower")
    }

    @Test func `a lower-case one that can't be taken yet is found where the upper-case one is gone`() throws {
        let machine = try Machine.live(3)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        machine.server.put(upper, Machine.film(1, "upper"))
        let ahead = Stamp(physical: Machine.start + 100_000_000, counter: 0, node: Machine.other)
        machine.server.put(lower, Machine.film(1, "lower", ahead))
        try machine.events([upper, lower].map { RemoteEvent.changed(machine.server.entry($0)) })
        machine.server.put(upper, .absent)
        try machine.settle()
        #expect(try machine.quarantine() == [.futureStamp] && machine.title(1) == nil)
        try machine.pass(100_000_000)
        try machine.take(.readAgain([Machine.id(1)]))
        try machine.settle()
        #expect(try machine.quarantine().isEmpty && machine.title(1) == "lower")
    }

    @Test func `and where the lower-case one can't be read any more`() throws {
        let machine = try Machine()
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.goLive()
        try machine.reconnect()
        machine.server.put(upper, Machine.film(1, "upper"))
        machine.server.put(lower, .record(fields: ["title": "odd", "hasWatched": "no idea"], stamps: nil))
        try machine.snapshot(order: [upper, lower])
        try machine.settle()
        #expect(try machine.title(1) == "upper" && machine.record(1).state.remoteKey == nil)
        #expect(machine.server.keys() == [upper, lower])
    }

    @Test func `a second key that is removed by others meanwhile is forgotten`() throws {
        let machine = try Machine()
        machine.server.put(upper, Machine.film(1, "upper", Machine.stamp(40_000)))
        try machine.goLive()
        machine.server.put(lower, Machine.film(1, "lower", Machine.stamp(50_000)))
        try machine.tell(lower)
        machine.server.put(lower, .absent)
        try machine.settle()
        #expect(try machine.title(1) == "upper" && machine.counts().records == 1)
        #expect(machine.calls.count(where: \.isWrite) == 0)
    }
}
