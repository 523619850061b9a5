import SyncCore
import SyncModel
import Testing

/// What a node has told the others of itself tells it that the remote was set back, also where nothing else does: each record
/// that is there stands there as it did.
struct OwnEntryTests {
    typealias Machine = MachineUnderTest

    private static let films: UInt64 = 30

    /// One that is live, with so many films that one or two may be deleted at once.
    private func live(_ pull: PullMode = .full) throws -> Machine { try Machine.live(Self.films, pull) }

    /// Films that other nodes have added: nothing that was there before is touched.
    private func add(_ machine: Machine, _ numbers: ClosedRange<UInt64>) throws {
        for number in numbers {
            machine.put(number, Machine.film(number, "New", Machine.stamp(100 + number)))
            try machine.tell(Machine.id(number))
        }
        try machine.settle()
    }

    /// A change is told to the others, and that is not answered yet; nor is what is asked beside the records from now on.
    private func announcing(_ machine: Machine) throws -> CollectionMachine.Request {
        try machine.pass(60_000)
        machine.answersBeside = false
        machine.put(40, Machine.film(40, "New", Machine.stamp(140)))
        try machine.tell(Machine.id(40))
        return try #require(machine.open.first { if case .announce = $0.call { true } else { false } })
    }

    private func alarms(_ machine: Machine) -> Int {
        machine.notes.count { if case .setBack = $0 { true } else { false } }
    }

    private func announcements(_ machine: Machine) -> Int {
        machine.callsBeside.count { if case .announce = $0 { true } else { false } }
    }

    @Test(arguments: [PullMode.full, .incremental], [false, true])
    func `the one film that it lacks waits`(pull: PullMode, restarting: Bool) throws {
        let machine = try live(pull)
        let copy = machine.server
        try add(machine, 40...40)
        try machine.pass(60_000)
        try machine.setBack(to: copy, restarting: restarting)
        #expect(try machine.holds() == [.massDelete] && machine.title(40) == "New")
        #expect(alarms(machine) == 1)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `once that is compared a delete is one again, and nobody is alarmed any more`(pull: PullMode) throws {
        let machine = try live(pull)
        let copy = machine.server
        try add(machine, 40...40)
        try machine.pass(60_000)
        try machine.setBack(to: copy)
        try machine.decide(.massDelete, approved: false)
        try machine.settle()
        #expect(machine.titleThere(40) == "New")
        try machine.setBack(to: machine.server, restarting: true)
        machine.put(5, .absent)
        try machine.pass(86_400_000)
        try machine.setBack(to: machine.server)
        #expect(try machine.holds() == [] && machine.title(5) == nil && alarms(machine) == 1)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `what apps delete while nobody looks is deleted`(pull: PullMode) throws {
        let machine = try live(pull)
        try add(machine, 40...40)
        try machine.pass(60_000)
        machine.put(40, .absent)
        machine.put(5, .absent)
        try machine.pass(86_400_000)
        try machine.setBack(to: machine.server)
        #expect(try machine.holds() == [] && machine.title(40) == nil && machine.title(5) == nil)
        #expect(alarms(machine) == 0)
    }

    @Test func `nothing is told before all of it is compared, and it is told again then`() throws {
        let machine = try live()
        let copy = machine.server
        try add(machine, 40...40)
        try machine.pass(60_000)
        let told = announcements(machine)
        machine.server = copy
        for keyspace in [Machine.records, Machine.tombstones] { try machine.reconnect(keyspace) }
        try machine.snapshot(Machine.tombstones)
        try machine.pass(86_400_000)
        #expect(announcements(machine) == told)
        // A stream that shows nothing for so long is opened anew.
        try machine.pass(10_000)
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.holds() == [.massDelete] && announcements(machine) == told + 1)
    }

    @Test func `whoever may not read it goes on without, and asks as long as that may pass`() throws {
        let machine = try live()
        let copy = machine.server
        try add(machine, 40...40)
        try machine.pass(60_000)
        machine.server = copy
        machine.answersBeside = false
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.open.map(\.call) == [.peers] && machine.title(40) == "New")
        try machine.answer(RemoteError(.unreachable, "away"))
        try machine.pass(60_000)
        #expect(machine.open.map(\.call) == [.peers])
        try machine.answer(RemoteError(.denied, "by the rules"))
        machine.answersBeside = true
        try machine.settle()
        #expect(try machine.holds() == [] && machine.title(40) == nil)
    }

    @Test func `the answer to an earlier question is none`() throws {
        let machine = try live()
        let copy = machine.server
        try add(machine, 40...40)
        try machine.pass(60_000)
        machine.answersBeside = false
        try machine.reconnect()
        try machine.snapshot()
        let before = try #require(machine.open.first)
        let answer = machine.server.answer(before.call)
        machine.server = copy
        try machine.reconnect()
        try machine.snapshot()
        try machine.take(.answered(request: before.number, answer))
        #expect(try machine.title(40) == "New")
        machine.answersBeside = true
        while !machine.open.isEmpty { try machine.answer() }
        #expect(try machine.holds() == [.massDelete] && machine.title(40) == "New")
    }

    @Test func `where that was read before, it is rather a token that has ended`() throws {
        let machine = try live()
        try machine.pass(60_000)
        try machine.reconnect()
        try machine.settleAndShow()
        machine.answersBeside = false
        try machine.reconnect()
        try machine.snapshot()
        for _ in 0..<20 {
            #expect(machine.open.map(\.call) == [.peers])
            try machine.answer(RemoteError(.denied, "by the rules"))
            try machine.pass(600_000)
        }
        #expect(machine.open.map(\.call) == [.peers])
    }

    @Test(arguments: [PullMode.full, .incremental], [false, true])
    func `deletes that it has forgotten are written again`(pull: PullMode, restarting: Bool) throws {
        let machine = try live(pull)
        let copy = machine.server
        machine.put(5, .absent)
        machine.server.put(
            Machine.id(5).description, .tombstone(stamp: Machine.stamp(90), ended: nil), in: Machine.tombstones)
        try machine.tell(Machine.id(5), in: Machine.tombstones)
        try machine.tell(Machine.id(5))
        try machine.settle()
        try machine.pass(60_000)
        try machine.setBack(to: copy, restarting: restarting)
        #expect(try machine.title(5) == nil && machine.titleThere(5) == nil && machine.holds() == [])
        #expect(machine.server.keys(Machine.tombstones) == [Machine.id(5).description])
    }

    @Test func `one that another collection has made anew tells nothing of this one`() throws {
        let machine = try live()
        try add(machine, 40...40)
        try machine.pass(60_000)
        machine.server.peers = machine.server.peers.mapValues { peer in
            var other = RemotePeer(node: peer.node, name: peer.name, version: peer.version, applied: ["artists": 5])
            other.told = ["artists": 1]
            return other
        }
        machine.put(40, .absent)
        try machine.setBack(to: machine.server)
        #expect(try machine.holds() == [] && machine.title(40) == nil && alarms(machine) == 0)
    }

    @Test func `what was told at another place says nothing of this one`() throws {
        let machine = try live()
        try machine.pass(60_000)
        let copy = machine.server
        try machine.restart(at: "elsewhere")
        machine.server.peers = [:]
        try machine.goLive()
        for _ in 0..<3 { try machine.pass(86_400_000) }
        machine.server = copy
        try machine.restart(at: "")
        try machine.goLive()
        #expect(alarms(machine) == 0)
    }

    @Test func `what was asked before something was told says nothing either`() throws {
        let machine = try live()
        let telling = try announcing(machine)
        try machine.reconnect()
        try machine.snapshot()
        let asking = try #require(machine.open.first { $0.call == .peers })
        let earlier = machine.server.answer(asking.call)
        try machine.take(.answered(request: telling.number, machine.server.answer(telling.call)))
        // Nothing is judged before that is answered, and all is when it is.
        machine.put(5, .absent)
        #expect(try machine.title(5) != nil)
        try machine.take(.answered(request: asking.number, earlier))
        #expect(alarms(machine) == 0)
        machine.answersBeside = true
        try machine.reconnect()
        try machine.settleAndShow()
        #expect(try machine.title(5) == nil)
    }

    @Test func `an announcement that is answered meanwhile ends no question`() throws {
        let machine = try live()
        let telling = try announcing(machine)
        machine.put(5, .absent)
        try machine.reconnect()
        try machine.snapshot()
        try machine.take(.answered(request: telling.number, machine.server.answer(telling.call)))
        #expect(try machine.title(5) != nil)
        machine.answersBeside = true
        try machine.settle()
        #expect(try machine.title(5) == nil && machine.holds() == [])
    }

    @Test func `where keys can't be listed all is loaded anew once`() throws {
        let machine = try live(.incremental)
        let copy = machine.server
        try machine.pass(1000)
        try add(machine, 40...40)
        try machine.pass(60_000)
        machine.server = copy
        machine.answersBeside = false
        for keyspace in machine.settings.keyspaces(of: "movies") { try machine.reconnect(keyspace) }
        for _ in 0..<200 {
            for keyspace in machine.settings.keyspaces(of: "movies") where machine.streams[keyspace] != nil {
                try machine.snapshotOfChanges(keyspace)
            }
            guard !machine.open.isEmpty else { break }
            // Slower than all else.
            let next = machine.open.firstIndex { $0.call != .peers } ?? 0
            let isList = machine.open[next].call == .keys(Machine.records)
            try machine.answer(number: next, isList ? RemoteError(.denied, "no lists") : nil)
        }
        #expect(alarms(machine) == 1)
    }

    @Test func `an entry that somebody has removed tells nothing`() throws {
        let machine = try live()
        try add(machine, 40...40)
        try machine.pass(60_000)
        machine.server.peers = [:]
        machine.put(40, .absent)
        try machine.setBack(to: machine.server)
        #expect(try machine.holds() == [] && machine.title(40) == nil)
    }
}
