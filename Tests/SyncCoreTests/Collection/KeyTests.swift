import LocalStore
import SyncCore
import SyncModel
import Testing

/// Keys that are not the upper-case id, bodies that can't be read, and two keys for one UUID: `docs/protocol.md` section 9.
struct KeyTests {
    typealias Machine = MachineUnderTest

    private let upper = Machine.id(1).description
    private let lower = Machine.id(1).description.lowercased()

    // MARK: Lower case

    @Test(arguments: [nil, Machine.stamp(40_000)] as [Stamp?])
    func `a record under a lower-case key that has an old tombstone is read under its key, and never deleted`(
        stamp: Stamp?
    ) throws {
        let machine = try Machine()
        machine.server.put(upper, .tombstone(stamp: Machine.stamp(90_000), ended: nil), in: Machine.tombstones)
        machine.server.put(lower, Machine.film(1, "A", stamp))
        try machine.goLive()
        try machine.pass(5000)
        try machine.settle()
        #expect(try machine.title(1) == "A" && machine.record(1).state.remoteKey == lower)
        #expect(machine.titleThere(lower) == "A" && machine.titleThere(upper) == nil)
        #expect(!machine.calls.contains(.read(upper, Machine.records)))
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        #expect(machine.titleThere(lower) == "mine" && machine.server.keys() == [lower])
    }

    // MARK: Keys that are made of fields

    @Test func `a record that was forgotten and is written again stands under the key that its fields say`() throws {
        let machine = try Machine()
        let template = KeyTemplate([.init("film", isInteger: true), .init("uid")])
        let context = BookContext(
            merge: MergeRules(), key: template, keepsTombstones: true, time: machine.policy)
        try machine.read { book in
            var stored = try book.record(Machine.key(5))
            let fields: [String: JSONValue] = ["film": 348, "uid": "anna", "text": "Good"]
            let outcome = stored.state.edited(
                .create(fields), at: Machine.stamp(1), context.merge, clock: &book.clock, wall: machine.wall)
            try book.store(stored, outcome, origin: .decision, context)
            #expect(try book.record(Machine.key(5)).state.keyInRemote == "348/anna")
            #expect(try book.records(of: "movies", under: "348") == [Machine.id(5)])
            #expect(try book.records(of: "movies", under: "34") == [])
        }
    }

    // MARK: Two keys

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
        for _ in 0..<3 {
            try machine.settle()
            try machine.pass(5000)
        }
        #expect(machine.server.keys().filter { $0 != Machine.id(0).description } == [upper])
        #expect(machine.titleThere(upper) == pair.winner)
        #expect(try machine.title(1) == pair.winner && machine.record(1).state.remoteKey == nil)
        #expect(try machine.counts().pending == 0 && machine.counts().records == 2)
    }

    @Test(arguments: pairs)
    func `so it is when the second key appears later`(pair: Pair) throws {
        for keys in [[upper, lower], [lower, upper]] {
            let machine = try Machine()
            let stamps = [upper: pair.stamps.upper, lower: pair.stamps.lower]
            machine.server.put(keys[0], Machine.film(1, keys[0] == upper ? "upper" : "lower", stamps[keys[0]] ?? nil))
            try machine.goLive()
            machine.server.put(keys[1], Machine.film(1, keys[1] == upper ? "upper" : "lower", stamps[keys[1]] ?? nil))
            try machine.tell(keys[1])
            for _ in 0..<3 {
                try machine.settle()
                try machine.pass(5000)
            }
            #expect(machine.server.keys() == [upper], "\(keys)")
            #expect(try machine.title(1) == machine.titleThere(upper), "\(keys)")
            #expect(try machine.counts().pending == 0, "\(keys)")
        }
    }

    @Test(arguments: pairs) func `and when nobody but a comparison has seen it`(pair: Pair) throws {
        for keys in [[upper, lower], [lower, upper]] {
            let machine = try Machine()
            let stamps = [upper: pair.stamps.upper, lower: pair.stamps.lower]
            machine.server.put(keys[0], Machine.film(1, keys[0] == upper ? "upper" : "lower", stamps[keys[0]] ?? nil))
            try machine.goLive()
            machine.server.put(keys[1], Machine.film(1, keys[1] == upper ? "upper" : "lower", stamps[keys[1]] ?? nil))
            try machine.take(.secondKeys([keys[1], "no key"]))
            for _ in 0..<3 {
                try machine.settle()
                try machine.pass(5000)
            }
            #expect(machine.server.keys() == [upper], "\(keys)")
            #expect(try machine.title(1) == machine.titleThere(upper), "\(keys)")
            // It is the only key now: the same word again must not take it away.
            try machine.take(.secondKeys([upper]))
            try machine.settle()
            #expect(machine.server.keys() == [upper])
        }
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

    // MARK: Unreadable

    private let unreadable = RemoteValue.unreadable(Defect(.unreadableRecord, "a list is no record"))

    @Test func `an unreadable body is never overwritten, also by the first batch of the same id`() throws {
        let machine = try Machine()
        machine.server.put(upper, unreadable)
        try machine.edit(Machine.create(1, "mine"), Machine.create(2, "other"))
        try machine.goLive()
        #expect(machine.server.entry(upper).value == unreadable && machine.titleThere(2) == "other")
        #expect(try machine.quarantine() == [.unreadableRecord] && machine.record(1).pending == .blocked)
        // When it is gone what waited is pushed, under a condition.
        machine.server.put(upper, .absent)
        try machine.tell(upper)
        #expect(machine.open.map(\.call.isBatch) == [false])
        try machine.settle()
        #expect(machine.titleThere(1) == "mine")
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 0)
    }

    @Test func `nor is one that a refused write shows`() throws {
        let machine = try Machine()
        machine.fill(2)
        try machine.goLive()
        try machine.edit(Machine.update(1, "mine"))
        try machine.answer()
        machine.server.put(upper, unreadable)
        try machine.settle()
        #expect(machine.server.entry(upper).value == unreadable && machine.calls.count(where: \.isWrite) == 1)
        #expect(try machine.title(1) == "mine" && machine.quarantine() == [.unreadableRecord])
        machine.server.put(upper, Machine.film(1, "theirs", Machine.stamp(40_000)))
        try machine.tell(upper)
        try machine.settle()
        #expect(machine.titleThere(1) == "mine")
        #expect(try machine.quarantine().isEmpty)
    }

    @Test func `a key that is no UUID stays, in quarantine, until it is gone`() throws {
        let machine = try Machine()
        machine.fill(2)
        machine.server.put("settings", .record(fields: ["theme": "dark"], stamps: nil))
        try machine.goLive()
        #expect(try machine.quarantine() == [.unreadableRecord] && machine.holds().isEmpty)
        #expect(machine.calls.isEmpty)
        machine.server.put("settings", .absent)
        try machine.tell("settings")
        #expect(try machine.quarantine().isEmpty)
    }

    @Test func `a record whose key is made of fields is looked for under no other`() throws {
        let machine = try Machine(key: KeyTemplate([.init("film"), .init("uid")]))
        let id = try #require(machine.rules.recordID(of: "910/anna", in: Machine.records))
        machine.server.put("910/anna", .record(fields: ["title": "T", "film": "910", "uid": "anna"], stamps: nil))
        try machine.goLive()
        machine.server.put("910/anna", .record(fields: ["title": "T", "hasWatched": "no idea"], stamps: nil))
        try machine.tell("910/anna")
        try machine.settle()
        #expect(try machine.quarantine() == [.unreadableRecord])
        // A person asks for it to be tried again, and it is gone.
        machine.server.put("910/anna", .absent)
        try machine.take(.readAgain([id]))
        try machine.settle()
        #expect(!machine.calls.contains(.read(id.description, Machine.records)))
        #expect(try machine.read { try $0.record(RecordKey("movies", id)).state.keyInRemote } == "910/anna")
    }

    /// What an app has put above records, and how a stream tells of what becomes of it.
    @Test(arguments: ["gone", "records", "a record", "another value"])
    func `a value above records leaves the quarantine when it is gone, or has records below it`(then: String) throws {
        let machine = try Machine(key: KeyTemplate([.init("film"), .init("uid")]))
        machine.server.put("910", unreadable)
        machine.server.put("911", unreadable)
        try machine.goLive()
        #expect(try machine.quarantine() == [.unreadableRecord, .unreadableRecord])
        machine.server.put("910", then == "another value" ? unreadable : .absent)
        let review = RemoteValue.record(fields: ["title": "T", "film": "910", "uid": "anna"], stamps: nil)
        if ["records", "a record"].contains(then) { machine.server.put("910/anna", review) }
        // Who writes one record tells of no more than that.
        if then != "a record" { try machine.events([.touched(key: "910")]) }
        if then == "another value" { try machine.tell("910") }
        if machine.titleThere("910/anna") != nil { try machine.tell("910/anna") }
        try machine.settle()
        let left = try machine.read { try $0.quarantined(after: 0, limit: 9).compactMap(\.record) }
        #expect(Set(left) == (then == "another value" ? ["910", "911"] : ["911"]))
        #expect(try machine.counts().records == (machine.titleThere("910/anna") == nil ? 0 : 1))
    }
}
