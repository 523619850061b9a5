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
}
