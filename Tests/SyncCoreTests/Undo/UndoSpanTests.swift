import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

private typealias Machine = MachineUnderTest

/// What of a span is taken back, and how many deletes at once that may be.
struct UndoSpanTests {
    /// A node made five films; then an app, which writes no stamps, gave the first one a title, and this node another year.
    private func edited() throws -> (machine: MachineUnderTest, since: UInt64) {
        let machine = try Machine.live(5)
        try machine.pass(1_000)
        let since = machine.wall
        machine.put(1, Machine.film(1, "App"))
        try machine.tell(Machine.id(1))
        try machine.settleAndShow()
        try machine.pass(1_000)
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"year":1979}}"#)
        try machine.settleAndShow()
        return (machine, since)
    }

    private func plan(
        _ machine: MachineUnderTest, _ span: UndoSpan, _ applier: OperationApplier? = nil
    ) throws -> UndoPlan {
        try machine.read { book in
            let keys = try book.changedKeys(from: span.since, until: span.until)
            let first = try #require(keys.first { $0.key == Machine.key(1) })
            return try span.plan(first, in: book, applier ?? machine.applier)
        }
    }

    @Test func `what one author did is taken back, and what others did stays`() throws {
        let (machine, since) = try edited()
        func edit(by author: ChangePast.Author?) throws -> Edit? {
            try plan(machine, UndoSpan(since: since, until: machine.wall + 1, author: author)).edit
        }
        #expect(try edit(by: .app) == .update(["title": "F1"]))
        #expect(try edit(by: .node(Machine.me)) == .update(["year": nil]))
        #expect(try edit(by: nil) == .update(["title": "F1", "year": nil]))
        #expect(try edit(by: .node(Machine.other)) == nil)
    }

    @Test func `what was done after the span stays`() throws {
        let (machine, since) = try edited()
        #expect(
            try plan(machine, UndoSpan(since: since, until: machine.wall)).edit == .update(["title": "F1"]))
    }

    @Test func `however often it was changed, it gets what it had before`() throws {
        let machine = try Machine.live(2)
        try machine.pass(1_000)
        let since = machine.wall
        for number in 0..<10_050 {
            try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"title":"T\#(number)"}}"#)
        }
        #expect(try plan(machine, UndoSpan(since: since, until: machine.wall + 1)).edit == .update(["title": "F1"]))
    }

    @Test func `a record that a hold names stays, and one of a collection that is not enabled`() throws {
        let (machine, since) = try edited()
        let (span, all) = (UndoSpan(since: since, until: machine.wall + 1), machine.applier)
        let none = OperationApplier(time: all.time, keepsTombstones: all.keepsTombstones) { _ in nil }
        #expect(try plan(machine, span, none).left == ["": "its collection is not enabled"])
        let future = RFC3339.text(machine.wall + 86_400_000)
        try machine.edit(#"{"op":"delete","id":"\#(Machine.id(1))","at":"\#(future)"}"#)
        let held = try plan(machine, span)
        #expect(held.edit == nil && held.left == ["": "a hold names it"])
        // Who asks for the changes of somebody who has made none is told of none.
        #expect(try plan(machine, UndoSpan(since: since, until: span.until, author: .node(Machine.other))).left.isEmpty)
    }

    @Test func `collections of which too much would be deleted are told, and the others counted`() throws {
        let machine = try Machine.live(30)
        var pace = OwnDeletes()
        func braked(_ count: UInt64) throws -> Set<CollectionID> {
            try machine.read { book in
                try pace.braked(
                    ["movies": (0..<count).map(Machine.id)], wall: machine.wall, monotonic: machine.monotonic, in: book)
            }
        }
        #expect(try braked(20) == ["movies"])
        #expect(try braked(3).isEmpty)
        #expect(try braked(0).isEmpty)
    }
}
