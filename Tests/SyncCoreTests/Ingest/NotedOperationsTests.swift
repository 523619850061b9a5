import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// An `opID` makes a line count once; what had no effect has not counted.
struct NotedOperationsTests {
    private func line(
        _ number: UInt64, _ opID: String, _ fields: String, op: String = "create", more: String = ""
    ) -> String {
        #"{"op":"\#(op)","id":"\#(MachineUnderTest.id(number))","opID":"\#(opID)","fields":\#(fields)\#(more)}"#
    }

    private func items(_ machine: MachineUnderTest) throws -> [QuarantinedItem] {
        try machine.read { try $0.quarantined(after: 0, limit: 99) }
    }

    @Test func `a corrected line counts, before and after the bad one is dropped`() throws {
        let machine = try MachineUnderTest()
        let bad = line(1, "a", #"{"titel":"typo"}"#)
        #expect(try machine.edit(bad).count == 1)
        // The same line again, as after a crash, makes no second item.
        #expect(try machine.edit(bad, bad).isEmpty)
        #expect(try items(machine).count == 1)
        try machine.edit(line(1, "a", #"{"title":"Alien"}"#))
        #expect(try machine.title(1) == "Alien")
        // It has counted now.
        try machine.edit(line(1, "a", #"{"title":"Aliens"}"#))
        #expect(try machine.title(1) == "Alien")
    }

    @Test func `a corrected line counts in the batch of the bad one`() throws {
        let machine = try MachineUnderTest()
        let lines = [line(1, "a", "{}"), line(1, "a", #"{"title":"Alien"}"#), line(1, "a", #"{"title":"Aliens"}"#)]
        #expect(try machine.edit(lines).count == 1)
        #expect(try machine.title(1) == "Alien")
    }

    @Test func `what waits for its record counts when that comes, and only where nothing took its place`() throws {
        let machine = try MachineUnderTest()
        try machine.edit(line(1, "a", #"{"year":1979}"#, op: "update"), line(2, "b", #"{"year":1986}"#, op: "update"))
        #expect(try items(machine).map(\.defect.code) == [.unknownRecord, .unknownRecord])
        // The id of the second one was wrong.
        try machine.edit(line(3, "x", #"{"title":"Aliens"}"#), line(3, "b", #"{"year":1986}"#, op: "update"))
        // The records come from another node.
        let stamp = Stamp(physical: MachineUnderTest.start - 1_000, counter: 0, node: MachineUnderTest.other)
        let content = Content(fields: ["title": "Alien", "hasWatched": false])
        try machine.read { book in
            for number in 1...2 as ClosedRange<UInt64> {
                var stored = try book.record(MachineUnderTest.key(number))
                stored.state.known.fields = StampedContent(content, FieldStamps(stamp))
                stored.state.stamp = stamp
                stored.state.base = .present(RemoteSnapshot(stamp: stamp, content: content))
                try book.store(stored, Outcome(), origin: .remote, machine.applier.context("movies"))
            }
        }
        try machine.read { book in
            for item in try book.quarantined(after: 0, limit: 9) {
                let isSettled = try machine.applier.retry(item, in: book)
                #expect(isSettled)
            }
        }
        #expect(try items(machine).isEmpty)
        let years = try (1...3 as ClosedRange<UInt64>).map { number in
            try machine.read { try $0.record(MachineUnderTest.key(number)).state.view?.fields["year"] }
        }
        #expect(years == [1979, nil, 1986])
        // The first one has counted.
        try machine.edit(line(1, "a", #"{"year":1}"#, op: "update"))
        #expect(try machine.read { try $0.record(MachineUnderTest.key(1)).state.view?.fields["year"] } == 1979)
    }

    @Test func `what waits again behind another one has not counted`() throws {
        let machine = try MachineUnderTest()
        func at(_ days: UInt64) -> String { #","at":"\#(RFC3339.text(MachineUnderTest.start + days * 86_400_000))""# }
        try machine.edit(line(1, "a", #"{"title":"Alien"}"#))
        try machine.edit(
            line(1, "b", "{}", op: "delete", more: at(1)), line(1, "c", #"{"year":1}"#, op: "update", more: at(2)),
            line(1, "d", #"{"year":2}"#, op: "update"))
        machine.wall += 86_400_000
        try machine.read { try Deadlines.expire(in: $0, machine.applier) }
        let counted = try machine.read { try $0.noted(["a", "b", "c", "d"].map { OperationMark($0) }) }
        #expect(counted == Set(["a", "b"].map { OperationMark($0) }))
        #expect(try machine.read { try $0.held(MachineUnderTest.key(1)).count } == 2)
    }

    /// Whether the server has said what time it has, and by how many days this machine's clock is ahead of it.
    @Test(arguments: [(true, 0, true), (false, 0, false), (true, 60, false)] as [(Bool, Int64, Bool)])
    func `what has had its effect is forgotten after a time, unless only this machine's clock says that it has passed`(
        isKnown: Bool, ahead: Int64, isForgotten: Bool
    ) throws {
        let machine = try MachineUnderTest()
        try machine.edit(line(1, "a", #"{"title":"Alien"}"#))
        machine.wall += 60 * 86_400_000
        machine.serverIsKnown = isKnown
        machine.offset = -ahead * 86_400_000
        try machine.edit(line(2, "b", #"{"title":"Aliens"}"#))
        let noted = try machine.read { try $0.noted(["a", "b"].map { OperationMark($0) }) }
        #expect(noted == Set((isForgotten ? ["b"] : ["a", "b"]).map { OperationMark($0) }))
    }

    @Test func `deletes that have had their effect raise no hold when they come again`() throws {
        let machine = try MachineUnderTest.live(20)
        let deletes = (0..<4 as Range<UInt64>).map { line($0, "d\($0)", "{}", op: "delete") }
        try machine.edit(deletes)
        try machine.settle()
        try machine.pass(61_000)
        try machine.edit((0..<4 as Range<UInt64>).map { line($0, "c\($0)", #"{"title":"anew"}"#) })
        try machine.edit((4..<7 as Range<UInt64>).map { line($0, "d\($0)", "{}", op: "delete") } + deletes)
        #expect(try machine.holds().isEmpty && machine.title(0) == "anew" && machine.title(4) == nil)
    }

    @Test(arguments: [true, false])
    func `what waits in a hold does not count where another line has taken its place`(isDecided: Bool) throws {
        let machine = try MachineUnderTest()
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        // Its id was wrong, and its time.
        try machine.edit(line(1, "a", #"{"title":"Alien"}"#, more: #","at":"\#(at)""#))
        try machine.edit(line(2, "a", #"{"title":"Alien"}"#))
        #expect(try machine.title(2) == "Alien")
        if isDecided {
            try machine.decide(.futureEdit, approved: true)
        } else {
            machine.wall += 86_400_000
            try machine.read { try Deadlines.expire(in: $0, machine.applier) }
        }
        #expect(try machine.title(1) == nil && machine.holds().isEmpty)
    }

    @Test func `a corrected line that waits behind the bad one counts after it`() throws {
        let machine = try MachineUnderTest()
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        try machine.edit(line(1, "a", #"{"title":"Alien"}"#, more: #","at":"\#(at)""#))
        try machine.edit(line(1, "a", #"{"title":"Aliens"}"#))
        try machine.decide(.futureEdit, approved: true)
        #expect(try machine.title(1) == "Aliens")
    }

    @Test(arguments: [true, false])
    func `what waits in a hold counts when that is approved`(_ isApproved: Bool) throws {
        let machine = try MachineUnderTest()
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        let future = line(1, "a", #"{"title":"Alien"}"#, more: #","at":"\#(at)""#)
        try machine.edit(future)
        try machine.edit(future)
        let held = try machine.read { try $0.held(MachineUnderTest.key(1)).count }
        #expect(held == 1)
        try machine.decide(.futureEdit, approved: isApproved)
        #expect(try machine.title(1) == (isApproved ? "Alien" : nil))
        try machine.edit(line(1, "a", #"{"title":"Aliens"}"#))
        #expect(try machine.title(1) == (isApproved ? "Alien" : "Aliens"))
    }

    @Test(arguments: [true, false])
    func `of two lines that wait in one hold the last one counts that can be applied`(_ isCorrect: Bool) throws {
        let machine = try MachineUnderTest()
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        try machine.edit(line(1, "a", #"{"title":"Alien"}"#))
        try machine.edit(line(1, "b", #"{"title":"Bad"}"#, op: "update", more: #","at":"\#(at)""#))
        try machine.edit(line(1, "c", #"{"title":"Between"}"#, op: "update"))
        try machine.edit(line(1, "b", isCorrect ? #"{"title":"Good"}"# : #"{"title":7}"#, op: "update"))
        try machine.decide(.futureEdit, approved: true)
        let past = try machine.read { try $0.changes(of: MachineUnderTest.key(1), before: .max, limit: 9) }
        #expect(past.count == 3 && past.first?.version.content?.fields["title"] == (isCorrect ? "Good" : "Between"))
        #expect(try items(machine).count == (isCorrect ? 0 : 1))
    }

    @Test(arguments: [true, false])
    func `behind the create of its record a line counts only if it could be applied to that`(isCreateGood: Bool) throws
    {
        let machine = try MachineUnderTest()
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        try machine.edit(line(1, "a", isCreateGood ? #"{"title":"Alien"}"# : "{}", more: #","at":"\#(at)""#))
        try machine.edit(line(1, "b", #"{"year":1979}"#, op: "update"))
        try machine.edit(line(1, "b", #"{"year":"junk"}"#, op: "update"))
        try machine.decide(.futureEdit, approved: true)
        #expect(try machine.record(1).state.view?.fields["year"] == (isCreateGood ? 1979 : nil))
        let left: [Defect.Code] = isCreateGood ? [.invalidValue] : [.missingKey, .unknownRecord, .unknownRecord]
        #expect(try items(machine).map(\.defect.code) == left)
    }

    @Test func `a delete that was corrected to an edit deletes nothing`() throws {
        let machine = try MachineUnderTest.live(20)
        try machine.edit((0..<9 as Range<UInt64>).map { line($0, "d\($0)", "{}", op: "delete") })
        #expect(try machine.holds() == [.massDelete])
        try machine.edit(line(3, "d3", #"{"title":"Kept"}"#, op: "update"))
        try machine.decide(.massDelete, approved: true)
        #expect(try machine.title(3) == "Kept" && machine.title(4) == nil && items(machine).isEmpty)
    }

    @Test func `a line that was rejected or dropped has no effect when it comes again, a corrected one has`() throws {
        let machine = try MachineUnderTest.live(20)
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        let delete = line(1, "a", "{}", op: "delete", more: #","at":"\#(at)""#)
        let deletes = (5..<15 as Range<UInt64>).map { line($0, "d\($0)", "{}", op: "delete") }
        let bad = [line(2, "b", #"{"titel":"typo"}"#), line(99, "u", #"{"year":1}"#, op: "update")]
        let all = [delete] + deletes + bad
        try machine.edit(delete)
        try machine.edit(deletes + bad)
        for kind in [HoldKind.futureEdit, .massDelete] { try machine.decide(kind, approved: false) }
        try machine.read { book in
            for item in try book.quarantined(after: 0, limit: 9) { try book.drop(item, machine.applier) }
        }
        machine.wall += 2 * 86_400_000
        #expect(try machine.edit(all).isEmpty)
        #expect(try machine.holds().isEmpty && items(machine).isEmpty && machine.counts().records == 20)
        try machine.edit(line(2, "b", #"{"title":"Alien"}"#), line(1, "a", "{}", op: "delete"))
        #expect(try machine.title(2) == "Alien" && machine.title(1) == nil)
    }

    @Test(arguments: [true, false])
    func `what a person decided about a line holds for the one that takes its place`(_ isApproved: Bool) throws {
        let machine = try MachineUnderTest()
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        for title in ["Bad", "Good"] {
            try machine.edit(line(1, "a", #"{"title":"\#(title)"}"#, more: #","at":"\#(at)""#))
        }
        try machine.decide(.futureEdit, approved: isApproved)
        #expect(try machine.title(1) == (isApproved ? "Good" : nil))
        #expect(try machine.holds() == (isApproved ? [] : [.futureEdit]))
    }

    @Test func `an edit is corrected before its record is there`() throws {
        let machine = try MachineUnderTest()
        let at = RFC3339.text(MachineUnderTest.start + 86_400_000)
        try machine.edit(line(1, "a", #"{"title":"Alien"}"#, more: #","at":"\#(at)""#))
        try machine.edit(line(1, "b", #"{"title":"Bad","year":1}"#, op: "update"))
        try machine.edit(line(1, "b", #"{"title":"Good"}"#, op: "update"))
        try machine.decide(.futureEdit, approved: true)
        let fields = try machine.record(1).state.view?.fields
        #expect(fields?["title"] == "Good" && fields?["year"] == nil)
    }

    @Test func `what was rejected after a long time does not come again either`() throws {
        let machine = try MachineUnderTest.live(20)
        let deletes = (0..<10 as Range<UInt64>).map { line($0, "d\($0)", "{}", op: "delete") }
        try machine.edit(deletes)
        machine.wall += 60 * 86_400_000
        try machine.edit(line(19, "a", #"{"title":"Alien"}"#))
        #expect(try machine.read { try $0.noted([OperationMark("d1").waited]).isEmpty })
        try machine.decide(.massDelete, approved: false)
        try machine.edit(deletes)
        #expect(try machine.holds().isEmpty && machine.counts().records == 20)
    }

    @Test(arguments: [true, false])
    func `of two lines in quarantine the last one counts that can be applied`(_ isCorrect: Bool) throws {
        let machine = try MachineUnderTest.live(1)
        try machine.edit(line(5, "a", #"{"title":"Bad"}"#, op: "update"))
        try machine.edit(line(5, "a", isCorrect ? #"{"title":"Good"}"# : #"{"title":7}"#, op: "update"))
        #expect(try items(machine).count == 2)
        machine.put(5, MachineUnderTest.film(5, "Theirs", MachineUnderTest.stamp(40_000)))
        try machine.tell(MachineUnderTest.id(5))
        #expect(try machine.title(5) == (isCorrect ? "Good" : "Bad") && items(machine).isEmpty)
    }

    @Test(arguments: [true, false])
    func `also where they are tried again at once`(_ isDecided: Bool) throws {
        let machine = try MachineUnderTest()
        let off = OperationApplier(time: machine.policy, keepsTombstones: true) { _ in nil }
        let lines = ["Bad", "Good"].map { line(1, "a", #"{"title":"\#($0)"}"#) }
        try machine.read { book in
            for text in lines {
                let text = Array(text.utf8)
                let read = JournalMachine.Line(
                    text: text[...], offset: 0, length: text.count,
                    operation: Result { () throws(Defect) in try off.operation(text[...]) })
                var journal = JournalMachine()
                _ = try journal.apply([read], from: "/j", .replayed, monotonic: 0, in: book, off)
            }
        }
        #expect(try machine.quarantine() == [.unknownCollection, .unknownCollection])
        try machine.read { book in
            try book.retry(book.quarantined(after: 0, limit: 9), isDecided: isDecided, machine.applier)
        }
        #expect(try machine.title(1) == "Good" && items(machine).isEmpty)
        try machine.edit(lines[0])
        #expect(try machine.title(1) == "Good")
    }
}
