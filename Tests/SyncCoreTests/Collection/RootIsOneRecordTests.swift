import LocalStore
import SyncCore
import SyncModel
import Testing

/// The hold `rootIsOneRecord`: an app has written one record over all others.
struct RootIsOneRecordTests {
    typealias Machine = MachineUnderTest

    private func numbers(_ count: UInt64) -> Range<UInt64> { 0..<count }

    @Test func `a reject says which stray keys it leaves`() {
        let hold = Hold(.rootIsOneRecord, .pull, reason: "a reason", since: 0)
        let words = HoldKind.rootIsOneRecord.rule.rejection(of: hold)
        #expect(words.contains("only those that a record surely has: the others stay, in quarantine"))
    }

    @Test(arguments: [true, false])
    func `where an app has written one film over all others nothing is pushed before a decision`(isApproved: Bool)
        throws
    {
        let machine = try Machine.live(9)
        for number in numbers(9) { machine.put(number, .absent) }
        let strays = ["hasWatched", "identifier", "title"]
        for key in strays { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.edit(Machine.create(20, "new"))
        #expect(try machine.holds() == [.rootIsOneRecord] && machine.counts().records == 10)
        #expect(machine.calls.isEmpty && machine.server.keys() == strays)
        try machine.decide(.rootIsOneRecord, approved: isApproved)
        try machine.settle()
        let films = (isApproved ? [] : Array(numbers(9))) + [20]
        #expect(machine.server.keys() == (films.map { Machine.id($0).description } + (isApproved ? strays : [])))
        #expect(try machine.counts().records == films.count && machine.quarantine().isEmpty)
        // What was approved is no question any more, until films are gone once more.
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds().isEmpty)
        machine.put(20, .absent)
        for key in strays { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds() == [.rootIsOneRecord])
    }

    @Test(arguments: [true, false])
    func `a reject removes all that came with the one film, and nothing that stood beside others`(standsAlone: Bool)
        throws
    {
        let machine = try Machine.live(9)
        for number in numbers(standsAlone ? 9 : 8) { machine.put(number, .absent) }
        for key in ["_v", "identifier", "title", "year"] {
            machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text")))
        }
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds() == [.rootIsOneRecord])
        try machine.decide(.rootIsOneRecord, approved: false)
        try machine.settle()
        let films = numbers(9).map { Machine.id($0).description }
        #expect(machine.server.keys() == (standsAlone ? films : films + ["_v", "year"]))
    }

    @Test func `keys that the remote does not let go of are named, and stop nothing`() throws {
        let machine = try Machine.live(9)
        for number in numbers(9) { machine.put(number, .absent) }
        let strays = ["identifier", "title"]
        for key in strays { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.decide(.rootIsOneRecord, approved: false)
        for _ in 0..<500 {
            guard let request = machine.open.first else { break }
            var isStray = false
            if case .remove(let key, _, _) = request.call { isStray = strays.contains(key) }
            try machine.answer(isStray ? RemoteError(.denied, "Permission denied") : nil)
        }
        #expect(machine.server.keys().count == 11)
        #expect(try machine.counts().pending == 0 && machine.quarantine() == [.unreadableRecord, .unreadableRecord])
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds().isEmpty)
        // Removed by a person.
        for key in strays {
            machine.server.put(key, .absent)
            try machine.tell(key)
        }
        #expect(try machine.quarantine().isEmpty)
    }

    @Test(arguments: [true, false])
    func `what looks like one record while the stream is live is asked about, and what is gone again is not`(
        isRejected: Bool
    ) throws {
        let machine = try Machine.live(9)
        let strays = ["identifier", "title"]
        for key in strays {
            machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text")))
            try machine.tell(key)
        }
        try machine.edit(Machine.update(1, "mine"))
        #expect(try machine.holds() == [.rootIsOneRecord] && machine.calls.isEmpty)
        if isRejected {
            try machine.decide(.rootIsOneRecord, approved: false)
            try machine.settle()
            #expect(machine.server.keys().count == 9)
        } else {
            // By another node.
            for key in strays {
                machine.server.put(key, .absent)
                try machine.tell(key)
            }
        }
        try machine.settle()
        #expect(try machine.holds().isEmpty && machine.counts().pending == 0)
        #expect(machine.titleThere(1) == "mine")
    }

    @Test(arguments: [true, false])
    func `what did not come back with the others is asked about, and stops nothing else`(keysGoFirst: Bool) throws {
        let machine = try Machine.live(9)
        for number in numbers(9) { machine.put(number, .absent) }
        let strays = ["identifier", "title"]
        for key in strays { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.edit(Machine.create(20, "new"))
        #expect(try machine.holds() == [.rootIsOneRecord] && machine.calls.isEmpty)
        func removeKeys() throws {
            for key in strays {
                machine.server.put(key, .absent)
                try machine.tell(key)
            }
        }
        // Another node, on which one was deleted meanwhile.
        if keysGoFirst { try removeKeys() }
        for number in numbers(7) {
            machine.put(number, Machine.film(number, "F\(number)"))
            try machine.tell(Machine.id(number))
        }
        if !keysGoFirst { try removeKeys() }
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
        let machine = try Machine.live(9)
        for number in numbers(9) { machine.put(number, .absent) }
        let strays = ["identifier", "title"]
        for key in strays { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.reconnect()
        try machine.snapshot()
        for value in [RemoteValue.absent, .unreadable(Defect(.unreadableRecord, "text"))] {
            for key in strays {
                machine.server.put(key, value)
                try machine.tell(key)
            }
        }
        try machine.pass(5_000)
        #expect(try machine.holds() == [.rootIsOneRecord])
    }
}
