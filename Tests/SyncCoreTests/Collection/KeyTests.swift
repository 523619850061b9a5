import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Keys that are not the upper-case id, and bodies that can't be read: `docs/protocol.md` section 9.
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

    /// How a node hears of a key without what stands there.
    enum Word: CaseIterable { case path, list, comparison }

    private func hear(of key: String, by word: Word, _ machine: Machine) throws {
        switch word {
        case .path: try machine.events([.touched(key: key)])
        case .list: try machine.take(.reconcile)
        case .comparison: try machine.take(.readKeys([key]))
        }
        try machine.settleWithPauses()
    }

    @Test(arguments: Word.allCases)
    func `a record under a lower-case key of which only the key is heard is read under that key`(word: Word) throws {
        let machine = try Machine.live(1)
        machine.server.put(lower, Machine.film(1, "A"))
        try hear(of: lower, by: word, machine)
        #expect(try machine.title(1) == "A" && machine.record(1).state.remoteKey == lower)
        #expect(try machine.counts().pending == 0 && machine.titleThere(lower) == "A")
    }

    @Test(arguments: Word.allCases)
    func `and merged, where the upper-case one is there too`(word: Word) throws {
        let machine = try Machine.live(2)
        machine.server.put(lower, Machine.film(1, "lower"))
        try hear(of: lower, by: word, machine)
        #expect(try machine.title(1) == "lower" && machine.record(1).state.remoteKey == nil)
        #expect(machine.titleThere(upper) == "lower" && machine.titleThere(lower) == nil)
    }

    @Test(arguments: Word.allCases)
    func `and is the record's own, where the upper-case one is gone`(word: Word) throws {
        let machine = try Machine.live(9)
        machine.server.put(upper, .absent)
        machine.server.put(lower, Machine.film(1, "lower"))
        try hear(of: lower, by: word, machine)
        #expect(try machine.title(1) == "lower" && machine.record(1).state.remoteKey == lower)
        #expect(machine.titleThere(lower) == "lower" && machine.titleThere(upper) == nil)
    }

    // MARK: Keys that are made of fields

    @Test(arguments: Word.allCases)
    func `a record whose key is made of fields, and of which only that is heard, is read under it`(word: Word) throws {
        let machine = try Machine(key: KeyTemplate([.init("film"), .init("uid")]))
        try machine.goLive()
        machine.server.put("910/anna", .record(fields: ["title": "T", "film": "910", "uid": "anna"], stamps: nil))
        try hear(of: "910/anna", by: word, machine)
        #expect(try machine.counts().records == 1 && machine.titleThere("910/anna") == "T")
    }

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

    @Test(
        arguments: [
            (["film": "911", "uid": "anna"], #"the key says that "film" is "910", the body says "911""#),
            (["film": 910, "uid": false], #"the key says that "uid" is "anna", the body says a Bool"#),
            (["film": 910, "uid": "anna"], nil), (["film": "910"], nil), ([:], nil),
            (["film": "+0910", "uid": " "], nil),
            (["film": "", "uid": "Anna"], #"the key says that "uid" is "anna", the body says "Anna""#),
        ] as [([String: JSONValue], String?)])
    func `a body that says otherwise than its key is in quarantine, and stays as it is`(
        body: [String: JSONValue], reason: String?
    ) throws {
        for stamp in [nil, Machine.stamp(40_000)] as [Stamp?] {
            let machine = try Machine(key: KeyTemplate([.init("film", isInteger: true), .init("uid")]))
            let own: [String: JSONValue] = ["title": "T", "hasWatched": false]
            let there = RemoteValue.record(
                fields: own.merging(body) { own, _ in own }, stamps: stamp.map { RemoteStamps($0) })
            machine.server.put("910/anna", there)
            try machine.goLive()
            let reasons = try machine.read { try $0.quarantined(after: 0, limit: 9).map(\.defect.message) }
            #expect(reasons == (reason.map { [$0] } ?? []))
            if reason != nil { #expect(machine.server.entry("910/anna").value == there) }
            let id = try #require(machine.rules.recordID(of: "910/anna", in: Machine.records))
            let fields = try machine.read { try $0.record(RecordKey("movies", id)).state.view?.fields }
            #expect(fields?["film"] == (reason == nil ? 910 : nil) && fields?["uid"] == (reason == nil ? "anna" : nil))
        }
    }

    @Test(arguments: [true, false])
    func `a delete by the id of what was never shown waits until a stream tells the key`(isThere: Bool) throws {
        let machine = try Machine(key: KeyTemplate([.init("film"), .init("uid")]))
        let id = try #require(machine.rules.recordID(of: "910/anna", in: Machine.records))
        try machine.goLive()
        try machine.take(.paused([.pull]))
        try machine.pass(1000)
        let review = RemoteValue.record(fields: ["title": "T", "film": "910", "uid": "anna"], stamps: nil)
        if isThere { machine.server.put("910/anna", review) }
        try machine.edit(#"{"op":"delete","id":"\#(id)"}"#)
        try machine.settleWithPauses()
        #expect(machine.calls.isEmpty)
        #expect(try machine.counts().pending == 1)
        try machine.take(.paused([]))
        try machine.snapshot(Machine.tombstones)
        try machine.snapshot()
        try machine.settleWithPauses()
        #expect(machine.server.keys().isEmpty && machine.server.keys(Machine.tombstones) == [id.description])
        #expect(try machine.counts().pending == 0 && machine.quarantine().isEmpty)
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
        let present = machine.server.keys().filter { $0.hasPrefix("910") }
        var events: [RemoteEvent] = then == "a record" ? [] : [.replaced(below: "910", by: present)]
        // Which of the two is told first depends on the write.
        if then == "another value" { events.insert(.changed(machine.server.entry("910")), at: 0) }
        if machine.titleThere("910/anna") != nil { events.append(.changed(machine.server.entry("910/anna"))) }
        try machine.events(events)
        try machine.settle()
        let left = try machine.read { try $0.quarantined(after: 0, limit: 9).compactMap(\.record) }
        #expect(Set(left) == (then == "another value" ? ["910", "911"] : ["911"]))
        #expect(try machine.counts().records == (machine.titleThere("910/anna") == nil ? 0 : 1))
    }
}
