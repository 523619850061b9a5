import LocalStore
import SyncCore
import SyncModel
import Testing

/// The hold `rootIsOneRecord`: an app has written one record over all others.
struct RootIsOneRecordTests {
    typealias Machine = MachineUnderTest

    private static let strays = ["identifier", "title"]

    private func numbers(_ count: UInt64) -> Range<UInt64> { 0..<count }

    /// An app puts texts under these keys, which are no records', or takes them away.
    private func set(_ keys: [String] = strays, there: Bool = true, in machine: Machine, isTold: Bool = false) throws {
        for key in keys {
            machine.server.put(key, there ? .unreadable(Defect(.unreadableRecord, "text")) : .absent)
            if isTold { try machine.tell(key) }
        }
    }

    /// Nine films were there; a snapshot shows that an app has written one film over them, of which so many are gone.
    private func writtenOver(gone: UInt64 = 9, with keys: [String] = strays) throws -> Machine {
        let machine = try Machine.live(9)
        for number in numbers(gone) { machine.put(number, .absent) }
        try set(keys, in: machine)
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds() == [.rootIsOneRecord])
        return machine
    }

    @Test func `a reject says which stray keys it leaves`() {
        let hold = Hold(.rootIsOneRecord, .pull, reason: "a reason", since: 0)
        let words = HoldKind.rootIsOneRecord.rule.rejection(of: hold)
        #expect(words.contains("only those that a record surely has: the others stay, in quarantine"))
    }

    @Test(arguments: [true, false])
    func `where an app has written one film over all others nothing is pushed before a decision`(isApproved: Bool)
        throws
    {
        let strays = ["hasWatched", "identifier", "title"]
        let machine = try writtenOver(with: strays)
        try machine.edit(Machine.create(20, "new"))
        #expect(try machine.holds() == [.rootIsOneRecord] && machine.counts().records == 10)
        #expect(machine.calls.isEmpty && machine.server.keys() == strays)
        try machine.decide(.rootIsOneRecord, approved: isApproved)
        try machine.settle()
        let films = (isApproved ? [] : Array(numbers(9))) + [20]
        #expect(machine.server.keys() == (films.map { Machine.id($0).description } + (isApproved ? strays : [])))
        // No stream need tell that what was removed is gone.
        #expect(try machine.counts().records == films.count && machine.quarantine().count == (isApproved ? 3 : 0))
        // What was approved is no question any more, until films are gone once more.
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds().isEmpty)
        machine.put(20, .absent)
        try set(strays, in: machine)
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds() == [.rootIsOneRecord])
    }

    @Test func `what was rejected is no question again while it is carried out`() throws {
        let machine = try writtenOver(with: ["identifier", "title", "year"])
        try machine.decide(.rootIsOneRecord, approved: false)
        // Nothing was answered yet, or only some of it.
        for answered in [0, 3] {
            for _ in 0..<answered where !machine.open.isEmpty { try machine.answer() }
            try machine.reconnect()
            try machine.snapshot()
            #expect(try machine.holds().isEmpty)
        }
        try machine.settleWithPauses()
        #expect(machine.server.keys() == numbers(9).map { Machine.id($0).description })
        for key in ["identifier", "title", "year"] { try machine.tell(key) }
        #expect(try machine.holds().isEmpty && machine.counts().records == 9 && machine.quarantine().isEmpty)
    }

    @Test(arguments: [true, false])
    func `a reject removes all that came with the one film, and nothing that stood beside others`(standsAlone: Bool)
        throws
    {
        let machine = try writtenOver(gone: standsAlone ? 9 : 8, with: ["_v", "identifier", "title", "year"])
        try machine.decide(.rootIsOneRecord, approved: false)
        try machine.settle()
        let films = numbers(9).map { Machine.id($0).description }
        #expect(machine.server.keys() == (standsAlone ? films : films + ["_v", "year"]))
    }

    @Test func `keys that the remote does not let go of are named, and stop nothing`() throws {
        let machine = try writtenOver()
        try machine.decide(.rootIsOneRecord, approved: false)
        for _ in 0..<500 {
            guard let request = machine.open.first else { break }
            var isStray = false
            if case .remove(let key, _, _) = request.call { isStray = Self.strays.contains(key) }
            try machine.answer(isStray ? RemoteError(.denied, "Permission denied") : nil)
        }
        #expect(machine.server.keys().count == 11)
        #expect(try machine.counts().pending == 0 && machine.quarantine() == [.unreadableRecord, .unreadableRecord])
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds().isEmpty)
        // Removed by a person.
        try set(there: false, in: machine, isTold: true)
        #expect(try machine.quarantine().isEmpty)
    }

    @Test(arguments: [true, false])
    func `what looks like one record while the stream is live is asked about, and what is gone again is not`(
        isRejected: Bool
    ) throws {
        let machine = try Machine.live(9)
        try set(in: machine, isTold: true)
        try machine.edit(Machine.update(1, "mine"))
        #expect(try machine.holds() == [.rootIsOneRecord] && machine.calls.isEmpty)
        if isRejected {
            try machine.decide(.rootIsOneRecord, approved: false)
            try machine.settle()
            #expect(machine.server.keys().count == 9)
        } else {
            // By another node.
            try set(there: false, in: machine, isTold: true)
        }
        try machine.settle()
        #expect(try machine.holds().isEmpty && machine.counts().pending == 0)
        #expect(machine.titleThere(1) == "mine")
    }

    @Test(arguments: [true, false])
    func `what did not come back with the others is asked about, and stops nothing else`(keysGoFirst: Bool) throws {
        let machine = try writtenOver()
        try machine.edit(Machine.create(20, "new"))
        #expect(machine.calls.isEmpty)
        // Another node, on which one was deleted meanwhile.
        if keysGoFirst { try set(there: false, in: machine, isTold: true) }
        for number in numbers(7) {
            machine.put(number, Machine.film(number, "F\(number)"))
            try machine.tell(Machine.id(number))
        }
        if !keysGoFirst { try set(there: false, in: machine, isTold: true) }
        try machine.pass(4_000)
        machine.put(7, Machine.film(7, "F7"))
        try machine.tell(Machine.id(7))
        try machine.pass(4_000)
        #expect(try machine.holds() == [.rootIsOneRecord])
        try machine.pass(1_000)
        try machine.settle()
        let holds = try machine.read { try $0.holds() }
        #expect(
            holds.map(\.kind) == [.massDelete] && holds[0].reason.contains("in the place of all, would delete 1 of"))
        #expect(machine.titleThere(20) == "new" && machine.server.keys().count == 9)
    }

    @Test func `keys that come again within that time are asked about as before`() throws {
        let machine = try writtenOver()
        try set(there: false, in: machine, isTold: true)
        try set(in: machine, isTold: true)
        try machine.pass(5_000)
        #expect(try machine.holds() == [.rootIsOneRecord])
    }
}
