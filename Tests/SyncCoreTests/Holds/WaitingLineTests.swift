import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Lines of the journal that wait behind one from the future: `docs/protocol.md` section 3.
struct WaitingLineTests {
    typealias Machine = MachineUnderTest

    private static let (minute, hour): (UInt64, UInt64) = (60_000, 3_600_000)

    /// Two films that are known, and a line that is dated three minutes ahead.
    private func waiting(_ line: String, origin: StampPolicy.Origin = .live) throws -> Machine {
        let machine = try Machine.live(2)
        machine.origin = origin
        let at = RFC3339.text(machine.wall + 3 * Self.minute)
        try machine.edit(#"{"at":"\#(at)",\#(line.dropFirst())"#, Machine.update(1, "mine"))
        #expect(try machine.holds() == [.futureEdit] && machine.title(1) == "F1")
        return machine
    }

    /// The hold ends an hour later: the daemon was not running when its time came.
    private func expire(_ machine: Machine) throws {
        let done = try machine.store.writeNow { try Deadlines.expire(in: $0, machine.applier) }
        #expect(try machine.holds().isEmpty)
        try machine.take(.edited(done.effects.toPush.map(\.id)))
        try machine.settle()
    }

    @Test(arguments: [StampPolicy.Origin.live, .backlog(modified: Machine.start), .replayed])
    func `what was edited elsewhere meanwhile counts more`(origin: StampPolicy.Origin) throws {
        let line = #"{"op":"update","id":"\#(Machine.id(1))","fields":{"note":"later"}}"#
        let machine = try waiting(line, origin: origin)
        try machine.pass(Self.hour)
        let theirs = Stamp(physical: Machine.start + Self.hour / 2, counter: 0, node: Machine.other)
        machine.put(1, Machine.film(1, "theirs", theirs))
        try machine.tell(Machine.id(1))
        try machine.settle()
        try expire(machine)
        #expect(try machine.title(1) == "theirs" && machine.titleThere(1) == "theirs")
        #expect(try machine.counts().conflicts == 2)
    }

    @Test(arguments: [true, false])
    func `each line from the future is decided for itself, and what stands behind it waits`(isApproved: Bool) throws {
        let machine = try Machine.live(2)
        let at = (1...2 as ClosedRange<UInt64>).map { RFC3339.text(machine.wall + $0 * Self.hour) }
        let head = #"{"op":"update","id":"\#(Machine.id(1))""#
        try machine.edit(
            #"\#(head),"at":"\#(at[0])","fields":{"title":"named"}}"#, #"\#(head),"fields":{"note":"now"}}"#,
            #"{"op":"delete","id":"\#(Machine.id(1))","at":"\#(at[1])"}"#, Machine.create(1, "anew"))
        try machine.decide(.futureEdit, approved: isApproved)
        let fields = try machine.record(1).state.view?.fields
        #expect(fields?["title"]?.text == (isApproved ? "named" : "F1") && fields?["note"] == "now")
        let hold = try #require(try machine.read { try $0.holds() }.first)
        #expect(hold.kind == .futureEdit && hold.reason.hasPrefix("delete of"))
        #expect(try machine.read { try $0.held(by: hold.number).count } == 2)
        try machine.decide(.futureEdit, approved: isApproved)
        #expect(try machine.holds().isEmpty && machine.title(1) == "anew")
        let note = try machine.record(1).state.view?.fields["note"]
        #expect(note == nil)
    }

    @Test func `a rejected line changes nothing of its record`() throws {
        let machine = try Machine.live(2)
        let at = RFC3339.text(machine.wall + 3 * Self.minute)
        try machine.edit(#"{"at":"\#(at)",\#(Machine.update(0, "from the future").dropFirst())"#)
        let before = try machine.record(0).state
        try machine.decide(.futureEdit, approved: false)
        #expect(try machine.record(0).state == before && machine.record(0).pending == .no)
        // Another node had deleted the film before the decision.
        let deleted = Stamp(physical: machine.wall - 1, counter: 0, node: Machine.other)
        machine.server.put(
            Machine.id(0).description, .tombstone(stamp: deleted, ended: nil), in: Machine.tombstones)
        machine.put(0, .absent)
        try machine.tell(Machine.id(0))
        try machine.settleWithPauses()
        #expect(try machine.title(0) == nil && machine.titleThere(0) == nil)
    }

    /// A delete from the future waits behind another edit from the future, and the film is edited elsewhere since.
    private func deleteBehindEdit() throws -> Machine {
        let machine = try Machine.live(2)
        let at = (1...2 as ClosedRange<UInt64>).map { RFC3339.text(machine.wall + $0 * Self.hour) }
        try machine.edit(
            #"{"op":"update","id":"\#(Machine.id(1))","at":"\#(at[0])","fields":{"year":1979}}"#,
            #"{"op":"delete","id":"\#(Machine.id(1))","at":"\#(at[1])"}"#)
        try machine.pass(1000)
        machine.put(1, Machine.film(1, "theirs", Stamp(physical: machine.wall, counter: 0, node: Machine.other)))
        try machine.tell(Machine.id(1))
        try machine.settle()
        return machine
    }

    @Test(arguments: [true, false])
    func `a delete from the future that waited behind another edit spares what was edited since`(isApproved: Bool)
        throws
    {
        let machine = try deleteBehindEdit()
        try machine.decide(.futureEdit, approved: isApproved)
        try machine.decide(.futureEdit, approved: true)
        #expect(try machine.holds().isEmpty && machine.title(1) == "theirs")
    }

    @Test func `also where the edit's time has come meanwhile`() throws {
        let machine = try deleteBehindEdit()
        try machine.pass(Self.hour)
        _ = try machine.store.writeNow { try Deadlines.expire(in: $0, machine.applier) }
        #expect(try machine.holds() == [.futureEdit] && machine.record(1).state.view?.fields["year"] == 1979)
        try machine.decide(.futureEdit, approved: true)
        #expect(try machine.holds().isEmpty && machine.title(1) == "theirs")
    }

    @Test func `so it is behind a delete that many others held back`() throws {
        let machine = try Machine.live(20)
        try machine.edit((0..<7 as Range<UInt64>).map(Machine.delete))
        let at = RFC3339.text(machine.wall + Self.hour)
        let later = #"{"op":"update","id":"\#(Machine.id(1))","at":"\#(at)","fields":{"title":"later"}}"#
        try machine.edit(later, Machine.update(2, "now"))
        #expect(try machine.holds() == [.massDelete])
        try machine.decide(.massDelete, approved: false)
        #expect(try machine.holds() == [.futureEdit] && machine.title(1) == "F1" && machine.title(2) == "now")
    }

    @Test func `one that can't be applied in the end is in quarantine with its place`() throws {
        let machine = try waiting(Machine.delete(1))
        try machine.pass(Self.hour)
        try expire(machine)
        let item = try #require(try machine.read { try $0.quarantined(after: 0, limit: 10) }.first)
        let line = Machine.update(1, "mine")
        #expect(item.defect.code == .unknownRecord && item.payload == Array(line.utf8))
        #expect(item.file == "/j" && item.offset == 1 && item.length == Int64(line.utf8.count))
    }

    @Test func `what a decision puts into quarantine is tried again where its record comes by it, too`() throws {
        let machine = try Machine.live(1)
        let at = RFC3339.text(machine.wall + Self.hour)
        let create = #"{"op":"create","id":"\#(Machine.id(7))","at":"\#(at)","fields":{"title":"later"}}"#
        let update = #"{"op":"update","id":"\#(Machine.id(7))","fields":{"year":1979}}"#
        try machine.edit(create, update, Machine.create(7, "now"))
        let hold = try #require(try machine.read { try $0.holds() }.first)
        let (left, lost) = try machine.read { book in
            _ = try HoldDecision.decide(hold, HoldKind.futureEdit.rule, approved: false, in: book, machine.applier)
            return (try book.quarantined(after: 0, limit: 9), try book.conflicts(of: Machine.key(7)))
        }
        // It was made before the record.
        #expect(left.isEmpty && lost.map(\.fields) == [["year"]])
        #expect(try machine.title(7) == "now")
    }

    // MARK: Behind it in another hold

    /// A line that is dated three minutes ahead, and a delete of its film behind it that waits with too many others.
    private func waitingDelete() throws -> Machine {
        let machine = try Machine.live(20)
        let at = RFC3339.text(machine.wall + 3 * Self.minute)
        try machine.edit(#"{"op":"create","id":"\#(Machine.id(1))","at":"\#(at)","fields":{"title":"later"}}"#)
        try machine.edit((0..<10).map { Machine.delete($0) })
        #expect(try machine.holds() == [.futureEdit, .massDelete])
        return machine
    }

    @Test(arguments: [true, false])
    func `a delete that waits with others has its effect after the line before it`(isDecidedFirst: Bool) throws {
        let machine = try waitingDelete()
        if isDecidedFirst {
            try machine.decide(.massDelete, approved: true)
            try machine.settle()
            #expect(try machine.title(1) == "F1" && machine.counts().records == 11)
        }
        try machine.pass(Self.hour)
        try machine.read { try Deadlines.expire(in: $0, machine.applier) }
        #expect(try machine.title(1) == (isDecidedFirst ? nil : "later"))
        if !isDecidedFirst { try machine.decide(.massDelete, approved: true) }
        #expect(try machine.holds().isEmpty && machine.title(1) == nil && machine.counts().records == 10)
    }

    @Test func `what was edited elsewhere after such a delete stays all the same`() throws {
        let machine = try waitingDelete()
        let theirs = Stamp(physical: Machine.start + 1000, counter: 0, node: Machine.other)
        machine.put(1, Machine.film(1, "theirs", theirs))
        try machine.tell(Machine.id(1))
        try machine.settle()
        try machine.pass(Self.hour)
        try machine.read { try Deadlines.expire(in: $0, machine.applier) }
        try machine.decide(.massDelete, approved: true)
        #expect(try machine.holds().isEmpty && machine.title(1) == "later" && machine.counts().records == 11)
    }
}
