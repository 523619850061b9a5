import LocalStore
import SyncCore
import SyncModel
import Testing

struct ClockWrongTests {
    @Test func `the server is asked for the time again ever less often, and at least once a minute`() {
        #expect((1...6).map(ClockWrong.pause) == [5000, 10_000, 20_000, 40_000, 60_000, 60_000])
        #expect(ClockWrong.pause(beforeLook: .max) == 60_000)
    }

    @Test func `an approval holds until the clocks agree, whatever the difference becomes, and not longer`() throws {
        let machine = try MachineUnderTest.live(0)
        func waits(offset: Int64) throws -> Bool {
            try machine.store.writeNow { book in
                try ClockWrong.check(
                    StampPolicy(wall: 1 << 40, offset: offset, maxAhead: 60_000), serverIsKnown: true, in: book)
            }.result
        }
        #expect(try waits(offset: 600_000))
        try machine.decide(.clockWrong, approved: true)
        for offset in [600_000, 700_000, -600_000] as [Int64] { #expect(try !waits(offset: offset)) }
        #expect(try !waits(offset: 0))
        #expect(try waits(offset: 600_000))
    }

    @Test func `what an approval has stamped by the server's clock waits after a start until that is known`() throws {
        let machine = try MachineUnderTest.live(0)
        func waits(_ offset: Int64?) throws -> Bool {
            try machine.store.writeNow { book in
                let time = StampPolicy(wall: 1 << 40, offset: offset ?? 0, maxAhead: 60_000)
                return try ClockWrong.check(time, serverIsKnown: offset != nil, in: book)
            }.result
        }
        #expect(try !waits(nil) && waits(-7_200_000))
        try machine.decide(.clockWrong, approved: true)
        #expect(try !waits(-7_200_000))
        // A start, and no answer yet.
        for _ in 1...2 { #expect(try waits(nil)) }
        let reasons = try machine.read { try $0.holds().map(\.reason) }
        #expect(reasons.count == 1 && reasons[0].contains("ahead of the server's, whose time counts"))
        #expect(try !waits(-7_200_000) && machine.holds().isEmpty)
    }

    @Test(arguments: [1 << 42, -3_600_000] as [Int64])
    func `what is stamped without an approval never goes ahead of either clock`(offset: Int64) throws {
        let machine = try MachineUnderTest.live(2)
        machine.offset = offset
        machine.put(1, MachineUnderTest.film(1, "app's"))
        try machine.tell(MachineUnderTest.id(1))
        try machine.settle()
        try machine.pass(60_000)
        try machine.settle()
        #expect(try machine.title(1) == "app's")
        #expect(try machine.clock().physical <= machine.wall)
        // A person has approved that the server's clock counts.
        try machine.edit(MachineUnderTest.create(5, "mine"))
        #expect(try machine.clock().physical >= UInt64(Int64(machine.wall) + min(0, offset)))
        #expect(try offset < 0 || machine.clock().physical > machine.wall + 1 << 41)
    }

    @Test func `the hold tells how far apart the clocks are now, and stays the same`() throws {
        let store = try LocalStore(try StateInMemory(), identity: "here", newNode: NodeID(1))
        func hold(offset: Int64) throws -> (reason: String, number: Int64, isNews: Bool) {
            let commit = try store.writeNow { book in
                let time = StampPolicy(wall: 1 << 40, offset: offset, maxAhead: 60_000)
                _ = try ClockWrong.check(time, serverIsKnown: true, in: book)
                return (try book.holds(), book.effects.holdsChanged)
            }.result
            let hold = try #require(commit.0.first)
            return (hold.reason, hold.number, commit.1)
        }
        let (day, machine): (Int64, String) = (86_400_000, "this machine's clock is")
        let first = try hold(offset: -9 * day)
        #expect(first.reason == "\(machine) 9 days ahead of the server's" && first.isNews)
        let near = try hold(offset: -11 * day)
        #expect(near.reason == first.reason && !near.isNews)
        let far = try hold(offset: -4_000 * day)
        #expect(far.reason == "\(machine) 10 years ahead of the server's" && far.isNews)
        let less = try hold(offset: -2_000 * day)
        #expect(less.reason == "\(machine) 5 years ahead of the server's")
        let behind = try hold(offset: 2_000 * day)
        #expect(behind.reason == "\(machine) 5 years behind the server's" && behind.isNews)
        #expect(behind.number == first.number)
    }

    @Test func `what waits goes on waiting after a start, until the server has said its time`() throws {
        let store = try LocalStore(try StateInMemory(), identity: "here", newNode: NodeID(1))
        func waits(offset: Int64, isKnown: Bool) throws -> Bool {
            try store.writeNow { book in
                try ClockWrong.check(
                    StampPolicy(wall: 1 << 40, offset: offset, maxAhead: 60_000), serverIsKnown: isKnown, in: book)
            }.result
        }
        #expect(try !waits(offset: 0, isKnown: false))
        #expect(try waits(offset: 600_000, isKnown: true))
        #expect(try waits(offset: 0, isKnown: false))
        #expect(try waits(offset: 600_000, isKnown: true))
        #expect(try !waits(offset: 0, isKnown: true))
        #expect(try !waits(offset: 0, isKnown: false))
    }
}
