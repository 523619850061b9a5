import SyncCore
import SyncModel
import Testing

/// What a node tells the others of itself, and when.
struct AnnouncingTests {
    private static let hour: UInt64 = 3_600_000

    @Test(arguments: [(90 * 24, 24), (2 * 24, 12), (4, 1)] as [(UInt64, UInt64)])
    func `an idle node shows itself four times while tombstones are kept, and once a day`(keep: UInt64, pause: UInt64) {
        #expect(AnnouncementPause.after(hasNews: false, keep: keep * Self.hour) == pause * Self.hour)
    }

    @Test(arguments: [(false, 1), (true, 90 * 24 * hour)] as [(Bool, UInt64)])
    func `with news, or where tombstones are hardly kept, a minute after the last time`(hasNews: Bool, keep: UInt64) {
        #expect(AnnouncementPause.after(hasNews: hasNews, keep: keep) == 60_000)
    }

    private func announcements(_ machine: MachineUnderTest) -> Int {
        machine.callsBeside.count { if case .announce = $0 { true } else { false } }
    }

    @Test func `a new name is told at once, and not again after a restart`() throws {
        let machine = try MachineUnderTest()
        try machine.goLive()
        let card = NodeCard(name: "living room", version: "1.0.0")
        try machine.take(.card(card))
        #expect(machine.server.peers.values.map(\.name) == ["living room"] && announcements(machine) == 2)
        try machine.restart()
        try machine.take(.card(card))
        try machine.goLive()
        #expect(announcements(machine) == 2)
        try machine.take(.card(NodeCard(name: "living room", version: "1.0.1")))
        #expect(machine.server.peers.values.map(\.version) == ["1.0.1"])
    }

    @Test func `another declaration is told at once, and not again after a restart`() throws {
        let machine = try MachineUnderTest()
        try machine.goLive()
        let card = NodeCard(name: "attic", version: "1", declaration: "d1")
        try machine.take(.card(card))
        let told = announcements(machine)
        #expect(machine.server.peers.values.map { Array($0.declared.values) } == [["d1"]])
        try machine.restart()
        try machine.take(.card(card))
        try machine.goLive()
        #expect(announcements(machine) == told)
        try machine.take(.card(NodeCard(name: "attic", version: "1", declaration: "d2")))
        #expect(announcements(machine) == told + 1)
    }

    @Test func `an idle node is seen again long before its tombstones would not wait for it`() throws {
        let machine = try MachineUnderTest()
        machine.keep = 4 * Self.hour
        try machine.goLive()
        for _ in 0..<48 {
            try machine.pass(Self.hour / 4)
            try machine.settle()
        }
        let seen = try #require(machine.server.peers.values.first?.seenAt)
        #expect(seen + Self.hour >= machine.wall)
        #expect(announcements(machine) == 13)
    }
}
