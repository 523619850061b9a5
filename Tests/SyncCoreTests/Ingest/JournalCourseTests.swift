import LocalStore
import SyncCore
import SyncModel
import Testing

/// Where reading the journal begins and goes on.
@Suite struct JournalCourseTests {
    private struct Place: JournalPlace, Hashable {
        var name: String

        init(_ name: String) { self.name = name }

        init?(stored: [UInt8]) {
            guard let first = stored.first, first != UInt8(ascii: "?") else { return nil }
            name = String(decoding: stored, as: UTF8.self)
        }

        var text: [UInt8] { Array(name.utf8) }
        var restarted: Place { Place("start of " + name) }
    }

    private typealias Course = JournalCourse<Place>

    private let store: LocalStore

    init() throws { store = try LocalStore(StateInMemory(), identity: "here", newNode: NodeID(1)) }

    private func inBook<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
        try store.writeNow(body).result
    }

    private func rewritten(at present: String) throws {
        try inBook { try Course.rewritten("changed", present: Place(present), since: 5, in: $0) }
    }

    @Test func `a new state reads all that is there, from the start`() throws {
        let start = try inBook { try Course.start(after: nil, in: $0) }
        #expect(start.place == nil && !start.isHeld && start.backlog == .all)
    }

    @Test func `a place and the number of lines are kept together`() throws {
        #expect(try inBook { try Course.reached(Place("a"), lines: 2, in: $0) } == 2)
        #expect(try inBook { try Course.reached(Place("b"), lines: 3, in: $0) } == 5)
        try inBook { try Course.reached(Place("c"), in: $0) }
        #expect(try inBook { try Course.place(in: $0) } == Place("c"))
        #expect(try inBook { try Course.lines(in: $0) } == 5)
    }

    @Test func `a place that nobody can read is none`() throws {
        try inBook { try $0.setValue("journal", Array("?".utf8)) }
        #expect(try inBook { try Course.place(in: $0) } == nil)
    }

    @Test func `nothing is read while a person is asked, over a restart too`() throws {
        try inBook { try Course.reached(Place("read"), in: $0) }
        try rewritten(at: "present")
        let start = try inBook { try Course.start(after: nil, in: $0) }
        #expect(start.isHeld && start.place == Place("read"))
        #expect(try inBook { try $0.holds() }.map(\.kind) == [.journalRewritten])
    }

    @Test func `a rejection goes on at the place that was noted`() throws {
        try inBook { try Course.reached(Place("read"), in: $0) }
        try rewritten(at: "present")
        let hold = try #require(try inBook { try $0.holds().first })
        let forecast = try inBook { try Course.start(deciding: hold, approved: false, in: $0) }
        try inBook { try Course.goOn(as: .goOn, in: $0) }
        let start = try inBook { try Course.start(after: .goOn, in: $0) }
        #expect(start.place == Place("present") && !start.isHeld && start.backlog == .asBefore)
        #expect(forecast?.place == start.place && forecast?.backlog == start.backlog)
    }

    @Test func `an approval reads all of the file again, as what was there before anybody watched`() throws {
        try rewritten(at: "present")
        let hold = try #require(try inBook { try $0.holds().first })
        let forecast = try inBook { try Course.start(deciding: hold, approved: true, in: $0) }
        try inBook { try Course.goOn(as: .readAgain, in: $0) }
        let start = try inBook { try Course.start(after: .readAgain, in: $0) }
        #expect(start.place == Place("start of present") && start.backlog == .all)
        #expect(forecast?.place == start.place && forecast?.backlog == start.backlog)
    }

    @Test func `a second decision moves nothing`() throws {
        try rewritten(at: "present")
        try inBook { try Course.goOn(as: .goOn, in: $0) }
        try inBook { try Course.reached(Place("later"), in: $0) }
        try inBook { try Course.goOn(as: .readAgain, in: $0) }
        #expect(try inBook { try Course.place(in: $0) } == Place("later"))
    }

    @Test func `without a note of what stands there it is asked about anew`() throws {
        try inBook { try JournalRewritten.raise(reason: "changed", since: 5, in: $0) }
        #expect(try inBook { try Course.start(after: nil, in: $0) }.isHeld == false)
        let hold = try #require(try inBook { try $0.holds().first })
        #expect(try inBook { try Course.start(deciding: hold, approved: false, in: $0) } == nil)
    }

    @Test func `another hold leaves the journal where it is`() throws {
        try inBook { try Course.reached(Place("read"), in: $0) }
        let hold = Hold(.clockWrong, .journal, reason: "", since: 5)
        let start = try inBook { try Course.start(deciding: hold, approved: true, in: $0) }
        #expect(start?.place == Place("read") && start?.backlog == .asBefore)
    }

    private func read(_ name: String, serverAhead offset: Int64) throws -> [QuarantinedItem]? {
        let time = StampPolicy(wall: 1_790_000_000_000, offset: offset, maxAhead: 60_000)
        let applier = OperationApplier(time: time, keepsTombstones: true) { _ in nil }
        let text = Array(#"{"op":"delete","id":"\#(RecordID(high: 1, low: 2))"}"#.utf8)[...]
        let line = JournalMachine.Line(
            text: text, offset: 0, length: text.count,
            operation: Result { () throws(Defect) in try applier.operation(text) })
        var machine = JournalMachine()
        return try inBook {
            try machine.read([line], upTo: Place(name), from: "/j", .live, monotonic: 0, in: $0, applier)?.rejected
        }
    }

    @Test func `a batch waits where the clocks turn out to differ, and its place is not reached`() throws {
        #expect(try read("first", serverAhead: 0) != nil)
        #expect(try read("second", serverAhead: 7_200_000) == nil)
        #expect(try inBook { try $0.holds() }.map(\.kind) == [.clockWrong])
        #expect(try inBook { try Course.place(in: $0) } == Place("first") && inBook { try Course.lines(in: $0) } == 1)
        #expect(try read("second", serverAhead: 0) != nil)
        #expect(try inBook { try Course.place(in: $0) } == Place("second"))
    }

    @Test func `lines of unknown time end where all are read, once`() throws {
        #expect(store.timeOfBacklogUnknown)
        var machine = JournalMachine(isReplaying: true)
        #expect(try inBook { try machine.caughtUp(in: $0) })
        #expect(!machine.isReplaying)
        #expect(try inBook { try !machine.caughtUp(in: $0) })
    }
}
