import LocalStore
import SyncCore
import SyncModel
import Testing

/// Many changes by apps, one of which another node has dealt with before they are judged.
struct SupersededChangesTests {
    typealias Machine = MachineUnderTest

    @Test(arguments: [true, false])
    func `what another node has written since is not asked about`(isDeleted: Bool) throws {
        let machine = try Machine.live(150)
        let changed = UInt64(0)..<140
        for number in changed { machine.put(number, Machine.film(number, "app's")) }
        try machine.tell(all: changed)
        let key = Machine.id(100).description
        if isDeleted {
            machine.server.put(key, .tombstone(stamp: Machine.stamp(0), ended: nil), in: Machine.tombstones)
            try machine.tell(key, in: Machine.tombstones)
        } else {
            machine.put(100, Machine.film(100, "node's", Machine.stamp(0)))
            try machine.tell(key)
        }
        try machine.pass(5_000)
        let hold = try #require(try machine.read { try $0.holds() }.first)
        #expect(hold.kind == .massForeignChange)
        let named = try machine.read { try $0.held(by: hold.number).map(\.key.id) }
        #expect(named.contains(Machine.id(101)) && !named.contains(Machine.id(100)))
    }
}
