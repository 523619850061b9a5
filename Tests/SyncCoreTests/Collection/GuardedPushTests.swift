import SyncCore
import SyncModel
import Testing

/// Pushes to a remote whose rules compare what stands there: `writeGuard: rules`.
struct GuardedPushTests {
    typealias Machine = MachineUnderTest

    @Test(arguments: [true, false])
    func `what was edited past them is written back over what stands there`(
        keepsStamp: Bool
    ) throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        machine.put(1, Machine.film(1, "console", keepsStamp ? Machine.stamp(50_000) : nil))
        try machine.tell(Machine.id(1))
        try machine.settle()
        try machine.restart()
        try machine.goLive()
        try machine.pass(4000)
        try machine.settle()
        let writes = machine.calls.compactMap { call -> [BatchElement]? in
            guard case .writeBatch(let elements) = call else { return nil }
            return elements
        }
        #expect(writes.last?.first?.write?.replaces == (keepsStamp ? Machine.stamp(50_000) : nil))
        #expect(machine.titleThere(1) == "console")
        #expect(try machine.counts().pending == 0)
    }

    @Test func `each write names what it replaces`() throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        try machine.edit(Machine.update(1, "mine"), Machine.create(5, "new"))
        guard case .writeBatch(let elements)? = machine.calls.last else { throw Machine.Missing() }
        let replaced = Dictionary(uniqueKeysWithValues: elements.map { ($0.key, $0.write?.replaces) })
        #expect(replaced == [Machine.id(1).description: Machine.stamp(50_000), Machine.id(5).description: nil])
        try machine.settle()
        try machine.edit(Machine.delete(1))
        guard case .writeBatch(let ended)? = machine.calls.last else { throw Machine.Missing() }
        #expect(ended.map(\.keyspace) == [Machine.tombstones, Machine.records])
        #expect(ended.first?.write?.replaces == (try machine.record(1).state.remote?.stamp))
        try machine.settle()
        #expect(machine.titleThere(1) == nil && machine.titleThere(5) == "new")
    }
}
