import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Trying again what is in quarantine.
struct RetryTests {
    @Test(arguments: [#"{"op":"create","fields":{"title":"A"#, MachineUnderTest.create(1, "A")])
    func `a line of which only the beginning was kept stays what it was`(beginning: String) throws {
        let machine = try MachineUnderTest()
        let defect = Defect(.lineTooLong, "a line of 2000000 bytes; the longest allowed is 1048576")
        try machine.read { book in
            var item = QuarantinedItem(.journal, defect, since: 1)
            item.payload = Array(beginning.utf8)
            try book.quarantine(item, machine.applier.context("movies"))
            let stored = try #require(try book.quarantined(after: 0, limit: 1).first)
            let isSettled = try machine.applier.retry(stored, in: book)
            #expect(!isSettled)
        }
        let left = try machine.read { try $0.quarantined(after: 0, limit: 9) }
        #expect(left.map(\.defect) == [defect] && left.first?.attempts == 2)
        #expect(try machine.title(1) == nil)
    }

    private static func moment(_ minutes: Int64) -> UInt64 {
        UInt64(Int64(MachineUnderTest.start) + minutes * 60_000)
    }

    /// Reads an update of a collection that is not enabled.
    private func read(_ machine: MachineUnderTest, _ origin: StampPolicy.Origin, at minutes: Int64?) throws {
        let at = minutes.map { #","at":"\#(RFC3339.text(Self.moment($0)))""# } ?? ""
        let id = MachineUnderTest.id(1)
        try read(machine, origin, #"{"op":"update","id":"\#(id)"\#(at),"fields":{"title":"Older"}}"#)
        machine.wall = Self.moment(60)
    }

    private func read(_ machine: MachineUnderTest, _ origin: StampPolicy.Origin, _ text: String) throws {
        let line = Array(text.utf8)
        let applier = OperationApplier(time: machine.policy, keepsTombstones: true) { _ in nil }
        let read = JournalMachine.Line(
            text: line[...], offset: 0, length: line.count,
            operation: Result { () throws(Defect) in try applier.operation(line[...]) })
        try machine.read { book in
            var journal = JournalMachine()
            _ = try journal.apply([read], from: "/j", origin, monotonic: 0, in: book, applier)
        }
        #expect(try machine.quarantine() == [.unknownCollection])
    }

    @Test func `checks see a line first whose key nobody could read before`() throws {
        let machine = try MachineUnderTest(key: KeyTemplate([.init("film", isInteger: true), .init("uid")]))
        try read(machine, .live, #"{"op":"create","collection":"movies","id":"348/anna","fields":{"title":"A"}}"#)
        let item = try #require(try machine.read { try $0.quarantined(after: 0, limit: 1).first })
        #expect(item.collection == nil && item.isAskedAbout(in: ["movies"]) && !item.isAskedAbout(in: []))
        let isUnseen = try machine.read { book in
            try ["movies", "artists"].map { try machine.applier.isUnseenByChecks(item, of: $0, in: book) }
        }
        #expect(isUnseen == [true, false])
        try retry(machine)
        #expect(try machine.quarantine().isEmpty && machine.counts().records == 1)
    }

    @Test func `a line whose key could not be read waits for its record once it can be`() throws {
        let machine = try MachineUnderTest(key: KeyTemplate([.init("film", isInteger: true), .init("uid")]))
        try read(machine, .live, #"{"op":"update","collection":"movies","id":"348/anna","fields":{"title":"A"}}"#)
        #expect(try machine.counts().quarantined == 0)
        try retry(machine)
        let key = RecordKey("movies", .named("348/anna", in: "movies"))
        let item = try #require(try machine.read { try $0.quarantined(after: 0, limit: 1).first })
        #expect(item.defect.code == .unknownRecord && item.key == key && item.stamp != nil)
        #expect(try machine.counts().quarantined == 1)
        try machine.edit(#"{"op":"create","collection":"movies","id":"348/anna","fields":{"title":"B"}}"#)
        #expect(try machine.quarantine().isEmpty && machine.counts().quarantined == 0)
    }

    private func retry(_ machine: MachineUnderTest, isDecided: Bool = false) throws {
        try machine.read { book in
            for item in try book.quarantined(after: 0, limit: 9) {
                _ = try machine.applier.retry(item, isDecided: isDecided, in: book)
            }
        }
    }

    /// The record comes from another node, as it was edited there.
    private func edited(_ machine: MachineUnderTest, at minutes: Int64) throws {
        let stamp = Stamp(physical: Self.moment(minutes), counter: 0, node: MachineUnderTest.other)
        let content = Content(fields: ["title": "Later", "hasWatched": false])
        try machine.read { book in
            var stored = try book.record(MachineUnderTest.key(1))
            stored.state.known.fields = StampedContent(content, FieldStamps(stamp))
            stored.state.stamp = stamp
            stored.state.base = .present(RemoteSnapshot(stamp: stamp, content: content))
            try book.store(stored, Outcome(), origin: .remote, machine.applier.context("movies"))
        }
    }

    /// Where the line stood, when the person made the edit, and when another one was made elsewhere, in minutes from its
    /// reading on.
    @Test(
        arguments: [
            (.live, -60, -30), (.live, nil, 30), (.backlog(modified: moment(-60)), nil, -30), (.replayed, nil, -30),
            (.replayed, -60, -30),
        ] as [(StampPolicy.Origin, Int64?, Int64)])
    func `what waited for its collection is an edit of its own time, or of now where a person wants it`(
        origin: StampPolicy.Origin, at minutes: Int64?, elsewhere: Int64
    ) throws {
        for isDecided in [false, true] {
            let machine = try MachineUnderTest()
            try read(machine, origin, at: minutes)
            try edited(machine, at: elsewhere)
            try retry(machine, isDecided: isDecided)
            #expect(try machine.quarantine().isEmpty)
            #expect(try machine.title(1) == (isDecided ? "Older" : "Later"))
        }
    }

    @Test func `what waits for its record after that keeps the stamp of its first attempt`() throws {
        let machine = try MachineUnderTest()
        try read(machine, .live, at: -60)
        try retry(machine)
        #expect(try machine.quarantine() == [.unknownRecord])
        #expect(try machine.read { try $0.quarantined(after: 0, limit: 1).first?.stamp?.physical } == Self.moment(-60))
        try edited(machine, at: -30)
        try retry(machine, isDecided: true)
        #expect(try machine.quarantine().isEmpty && machine.title(1) == "Later")
    }
}
