import LocalStore
import SyncCore
import SyncModel
import Testing

/// What is missing from a remote that is another one than before, or an older one, was not deleted there.
struct MissingTests {
    typealias Machine = MachineUnderTest

    // MARK: Another place

    @Test(arguments: [PullMode.full, .incremental])
    func `what the remote at a new place lacks waits, however little it is`(pull: PullMode) throws {
        let machine = try live(20, pull: pull)
        machine.put(3, .absent)
        for place in ["a", "b", "a", "b", "c"] {
            try machine.read { try CollectionMachine.note(["movies": place], in: $0) }
        }
        try machine.restart()
        try open(machine)
        #expect(try machine.holds() == [.massDelete])
        #expect(try machine.title(3) == "F3")
        try machine.decide(.massDelete, approved: false)
        try machine.settle()
        #expect(machine.titleThere(3) == "F3")
        // From then on it is the place as ever.
        machine.put(4, .absent)
        try machine.restart()
        try open(machine)
        #expect(try machine.holds() == [] && (machine.title(4) == nil) == (pull == .full))
    }

    // MARK: An older state

    private func put(_ machine: Machine, _ number: UInt64, _ before: UInt64) {
        machine.put(number, Machine.film(number, "F\(number)", Machine.stamp(before)))
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `several that are missing wait where little else is there that was written since`(pull: PullMode) throws {
        let machine = try live(20, pull: pull)
        for number in UInt64(30)..<36 {
            put(machine, number, 1000 + number)
            try machine.tell(Machine.id(number))
        }
        try machine.settle()
        for number in UInt64(30)..<34 { machine.put(number, .absent) }
        if pull == .full { try reopen(machine) } else { try compare(machine) }
        #expect(try machine.holds() == [.massDelete])
        for number in UInt64(30)..<34 { #expect(try machine.title(number) != nil) }
    }

    /// Another node that was quicker has written its own versions back, and an app's record is missing too.
    @Test(arguments: [false, true])
    func `so they do where newer versions came back first, or one has no stamp`(restarts: Bool) throws {
        let machine = try live(40)
        for number in UInt64(30)..<34 {
            put(machine, number, 1000 + number)
            try machine.tell(Machine.id(number))
        }
        machine.put(50, Machine.film(50, "app's"))
        try machine.tell(Machine.id(50))
        try machine.settle()
        // In touch with the remote since.
        try machine.pass(4_000_000)
        try machine.pass(1000)
        for number in (UInt64(30)..<34) + [50] { machine.put(number, .absent) }
        for number in UInt64(0)..<8 { put(machine, number, number) }
        if restarts {
            try machine.restart()
            try open(machine)
        } else {
            try reopen(machine)
        }
        #expect(try machine.holds() == [.massDelete])
        for number in (UInt64(30)..<34) + [50] { #expect(try machine.title(number) != nil) }
    }

    @Test(arguments: [false, true], [false, true])
    func `even one that is missing waits where another is there as it was before`(
        restarts: Bool, isEdited: Bool
    ) throws {
        let machine = try live(20)
        put(machine, 30, 1030)
        try machine.tell(Machine.id(30))
        let old = machine.server.entry(Machine.id(7).description)
        put(machine, 7, 2000)
        try machine.tell(Machine.id(7))
        try machine.settle()
        machine.put(30, .absent)
        var value = old.value
        // An app that writes a stale copy back has changed something in it.
        if isEdited, case .record(var fields, let stamps) = old.value {
            fields["title"] = "app's"
            value = .record(fields: fields, stamps: stamps)
        }
        machine.server.put(old.key, value)
        if restarts {
            try machine.restart()
            try open(machine)
        } else {
            try reopen(machine)
        }
        try machine.settle()
        #expect(try machine.holds() == (isEdited ? [] : [.massDelete]))
        #expect(try machine.title(30) == (isEdited ? nil : "F30"))
    }

    @Test func `what this node has written while it was shown what stood there before looks like nothing of that`()
        throws
    {
        let machine = try live(20)
        let old = machine.server.entry(Machine.id(7).description)
        machine.put(12, .absent)
        try machine.reconnect()
        try machine.events([.snapshotBegan])
        try machine.edit(Machine.update(7, "mine"))
        try machine.settle()
        let others = machine.server.keys().filter { $0 != old.key }.map { machine.server.entry($0) }
        try machine.events(([old] + others).map { .snapshotEntry($0) } + [.snapshotEnded(entries: 19)])
        try machine.settle()
        #expect(try machine.holds() == [] && machine.title(12) == nil && machine.title(7) == "mine")
        #expect(machine.titleThere(7) == "mine")
    }

    /// Everyday: a restart soon after much was written, and an app that has deleted some of it meanwhile.
    @Test(arguments: [PullMode.full, .incremental])
    func `a few that an app has deleted while this node was off are deleted`(pull: PullMode) throws {
        let machine = try live(2, pull: pull)
        try machine.edit((10..<30).map { Machine.create($0, "new") })
        try machine.settle()
        for number in UInt64(10)..<30 where pull == .full { try machine.tell(Machine.id(number)) }
        try machine.pass(1000)
        try machine.edit((10..<25).map { Machine.update($0, "watched") })
        try machine.settle()
        for number in UInt64(10)..<25 where pull == .full { try machine.tell(Machine.id(number)) }
        for number in UInt64(10)..<13 { machine.put(number, .absent) }
        try machine.restart()
        try open(machine)
        if pull == .incremental { try compare(machine) }
        #expect(try machine.holds() == [] && machine.title(10) == nil && machine.title(14) == "watched")
    }

    /// That a key is in a list of keys says nothing of what was edited there since.
    @Test func `so they do where others were edited, and only keys are compared`() throws {
        let machine = try live(20, pull: .incremental)
        for number in UInt64(30)..<34 {
            put(machine, number, 1000 + number)
            try machine.tell(Machine.id(number))
        }
        try machine.settle()
        try machine.edit((0..<3).map { Machine.update($0, "edited") })
        try machine.settle()
        for number in UInt64(30)..<34 { machine.put(number, .absent) }
        try compare(machine)
        #expect(try machine.holds() == [.massDelete])
    }

    /// Records that nodes have never stamped tell nothing of when they were made.
    @Test func `what apps have made and deleted again is deleted`() throws {
        let machine = try Machine()
        for number in UInt64(0)..<20 { machine.put(number, Machine.film(number, "app's")) }
        try open(machine)
        for number in UInt64(0)..<4 { machine.put(number, .absent) }
        try reopen(machine)
        #expect(try machine.holds() == [] && machine.counts().records == 16)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `what apps have deleted is deleted, also where it is the newest`(pull: PullMode) throws {
        let machine = try live(20, pull: pull)
        put(machine, 30, 1000)
        try machine.tell(Machine.id(30))
        for numbers in [[UInt64(30)], [6, 7]] {
            for number in numbers { machine.put(number, .absent) }
            if pull == .full { try reopen(machine) } else { try compare(machine) }
            #expect(try machine.holds() == [])
            for number in numbers { #expect(try machine.title(number) == nil) }
        }
    }

    @Test func `what is back where it was before anything was read elsewhere has not moved`() throws {
        let machine = try live(20)
        machine.put(3, .absent)
        for place in ["a", "b", "a"] { try machine.read { try CollectionMachine.note(["movies": place], in: $0) } }
        try machine.restart()
        try open(machine)
        #expect(try machine.holds() == [] && machine.title(3) == nil)
    }

    // MARK: The limit of deletes over a restart

    @Test func `what an earlier run has deleted counts towards the limit`() throws {
        let machine = try live(20)
        try machine.edit((0..<3).map { Machine.delete($0) })
        try machine.settle()
        try machine.restart()
        try open(machine)
        try machine.edit((3..<6).map { Machine.delete($0) })
        #expect(try machine.holds() == [.massDelete])
        try machine.decide(.massDelete, approved: false)
        try machine.pass(61_000)
        try machine.edit((6..<9).map { Machine.delete($0) })
        #expect(try machine.holds() == [])
    }

    @Test func `so do disappearances`() throws {
        let machine = try live(20)
        for number in UInt64(0)..<5 { machine.put(number, .absent) }
        try machine.restart()
        try open(machine)
        #expect(try machine.holds() == [] && machine.counts().records == 15)
        for number in UInt64(5)..<7 { machine.put(number, .absent) }
        try machine.restart()
        try open(machine)
        #expect(try machine.holds() == [.massDelete] && machine.counts().records == 15)
    }

    // MARK: Deletes that come before the records

    @Test(arguments: [true, false])
    func `deletes of records that nobody has seen here wait where they are many`(isApproved: Bool) throws {
        let machine = try Machine()
        machine.fill(20)
        try machine.edit((0..<12).map { Machine.delete($0) })
        #expect(try machine.holds() == [])
        if isApproved {
            // What was seen is judged also where the daemon ends before that.
            try machine.take(.paused([.push]))
            try machine.goLive()
            try machine.restart()
        }
        try machine.goLive()
        #expect(try machine.holds() == [.massDelete])
        #expect(try machine.title(3) == "F3")
        #expect(machine.calls.filter(\.isWrite) == [])
        #expect(try machine.read { try $0.conflicts(before: 0, limit: 9).isEmpty })
        try machine.decide(.massDelete, approved: isApproved)
        try machine.settle()
        #expect((machine.titleThere(3) == nil) == isApproved)
        #expect(try machine.counts().records == (isApproved ? 8 : 20))
    }

    @Test func `a few of them are carried out`() throws {
        let machine = try Machine()
        machine.fill(20)
        try machine.edit((0..<4).map { Machine.delete($0) })
        try machine.goLive()
        #expect(try machine.holds() == [])
        #expect(machine.titleThere(3) == nil && machine.titleThere(4) == "F4")
        // Their deletes have ended edits that they had not seen.
        #expect(try machine.read { try $0.conflicts(before: 0, limit: 9).count } == 4)
    }

    // MARK: Support

    private func live(_ count: UInt64, pull: PullMode = .full) throws -> Machine {
        let machine = try Machine(pull: pull)
        machine.fill(count)
        try open(machine)
        return machine
    }

    private func open(_ machine: Machine) throws {
        if machine.settings.pull == .full { return try machine.goLive() }
        try machine.take(.start)
        try machine.settle()
        for keyspace in [Machine.records, Machine.tombstones] {
            try machine.snapshotOfChanges(keyspace)
        }
        try machine.settle()
    }

    /// The keys of both sides are compared.
    private func compare(_ machine: Machine) throws {
        try machine.take(.reconcile)
        try machine.settle()
    }

    private func reopen(_ machine: Machine) throws {
        try machine.reconnect()
        try machine.snapshot()
        try machine.settle()
    }
}
