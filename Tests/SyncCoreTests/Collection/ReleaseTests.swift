import SyncCore
import SyncModel
import Testing

/// Holds that end by themselves, because what they were about is over.
struct ReleaseTests {
    typealias Machine = MachineUnderTest

    @Test func `what was edited while its disappearance was held is pushed once it is there again`() throws {
        let machine = try Machine()
        machine.fill(1)
        try machine.goLive()
        machine.put(0, .absent)
        let strays = ["hasWatched", "identifier", "title"]
        for key in strays { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.edit(Machine.update(0, "edited"))
        #expect(try machine.holds() == [.rootIsOneRecord] && machine.record(0).pending == .blocked)
        machine.fill(1)
        try machine.tell(Machine.id(0))
        try machine.settle()
        #expect(try machine.holds().isEmpty && machine.counts().pending == 0)
        #expect(machine.titleThere(0) == "edited")
    }

    @Test func `where another node has let one film stand for all, nobody asks again`() throws {
        let machine = try Machine.live(3)
        for number: UInt64 in 0..<3 { machine.put(number, .absent) }
        let strays = ["hasWatched", "identifier", "title"]
        for key in strays { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds() == [.rootIsOneRecord])
        let tombstones = Keyspace.tombstones("movies")
        for number: UInt64 in 0..<3 {
            let key = Machine.id(number).description
            machine.server.put(key, .tombstone(stamp: Machine.stamp(40_000), ended: nil), in: tombstones)
            try machine.tell(key, in: tombstones)
        }
        #expect(try machine.holds().isEmpty)
        #expect(try machine.counts().records == 0)
        try machine.edit(Machine.create(20, "new"))
        for _ in 0..<2 {
            try machine.restart()
            try machine.goLive()
            try machine.settle()
            #expect(try machine.holds().isEmpty && machine.titleThere(20) == "new")
        }
    }

    /// The two streams are not in step.
    @Test(arguments: [nil, Machine.stamp(50_000)])
    func `disappearances wait no more once tombstones explain them`(stamp: Stamp?) throws {
        let machine = try Machine()
        machine.fill(20)
        let numbers = UInt64(20)..<32
        for number in numbers { machine.put(number, Machine.film(number, "film", stamp)) }
        try machine.goLive()
        for number in numbers { machine.put(number, .absent) }
        try machine.tell(all: numbers)
        try machine.settle()
        #expect(try machine.holds() == [.massDelete] && machine.counts().records == 32)
        for number in numbers {
            let key = Machine.id(number).description
            machine.server.put(key, .tombstone(stamp: Machine.stamp(40_000), ended: nil), in: Machine.tombstones)
            try machine.tell(key, in: Machine.tombstones)
        }
        try machine.settle()
        #expect(try machine.holds().isEmpty && machine.counts().records == 20)
        #expect(try machine.counts().pending == 0 && machine.calls.allSatisfy { !$0.isWrite })
    }

    @Test func `a new node does not ask about one film in the place of all`() throws {
        let machine = try Machine()
        let strays = ["hasWatched", "identifier", "title"]
        for key in strays { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.goLive()
        try machine.edit(Machine.create(20, "new"))
        try machine.settle()
        #expect(try machine.holds().isEmpty && machine.titleThere(20) == "new")
    }
}
