import LocalStore
import SyncCore
import SyncModel
import Testing

/// Second keys of records that must not be removed yet, or that the remote keeps: `docs/protocol.md` section 9.
struct WaitingSecondKeyTests {
    typealias Machine = MachineUnderTest

    private let upper = Machine.id(1).description
    private let lower = Machine.id(1).description.lowercased()

    /// Nothing was written, and the second key is there.
    private func expectWaiting(_ machine: Machine) {
        #expect(machine.titleThere(lower) == "lower" && machine.calls.allSatisfy { !$0.isWrite })
    }

    @Test(arguments: [true, false])
    func `while the push is paused a second key is not removed, also where it is being read`(isBeingRead: Bool) throws {
        let machine = try Machine.live(2)
        if !isBeingRead { try machine.take(.paused([.push])) }
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        if isBeingRead {
            try machine.answer()
            try machine.take(.paused([.push]))
        }
        try machine.settleWithPauses()
        expectWaiting(machine)
        try machine.take(.paused([]))
        try machine.settleWithPauses()
        #expect(machine.titleThere(lower) == nil && machine.titleThere(upper) == "lower")
        #expect(try machine.counts().pending == 0)
    }

    @Test func `nor before it is known what was deleted`() throws {
        let machine = try Machine()
        machine.server.put(upper, Machine.film(1, "upper", Machine.stamp(50_000)))
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.take(.start)
        try machine.snapshot(order: [upper, lower])
        try machine.settle()
        expectWaiting(machine)
        try machine.snapshot(Machine.tombstones)
        try machine.settleWithPauses()
        #expect(machine.server.keys() == [upper] && machine.titleThere(upper) == "lower")
    }

    @Test func `nor while a hold stops the collection`() throws {
        let machine = try Machine.live(2)
        for key in ["identifier", "title"] { machine.server.put(key, .unreadable(Defect(.unreadableRecord, "text"))) }
        try machine.reconnect()
        try machine.snapshot()
        #expect(try machine.holds() == [.rootIsOneRecord])
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        try machine.settle()
        expectWaiting(machine)
        for key in ["identifier", "title"] {
            machine.server.put(key, .absent)
            try machine.tell(key)
        }
        try machine.settleWithPauses()
        #expect(try machine.holds().isEmpty)
        #expect(machine.titleThere(lower) == nil && machine.titleThere(upper) == "lower")
    }

    @Test(arguments: [RemoteError.Code.denied, .refused])
    func `a second key that the remote does not let be removed keeps no edit from going out`(
        code: RemoteError.Code
    ) throws {
        let machine = try Machine.live(3)
        func settle() throws {
            while let request = machine.open.first {
                let isRemoval = if case .remove(lower, _, _) = request.call { true } else { false }
                try machine.answer(isRemoval ? RemoteError(code, "no") : nil)
            }
        }
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        try settle()
        #expect(try machine.quarantine() == [.unreadableRecord] && machine.title(1) == "lower")
        try machine.edit(Machine.update(1, "mine"), Machine.update(2, "mine"))
        try settle()
        #expect(machine.titleThere(upper) == "mine" && machine.titleThere(2) == "mine")
        for _ in 0..<3 {
            try machine.pass(60_000)
            try settle()
        }
        let removals = machine.calls.count { if case .remove(lower, _, _) = $0 { true } else { false } }
        #expect(try removals == 1 && machine.counts().pending == 0)
        // Tried again, it is the same item.
        try machine.take(.readAgain([Machine.id(1)]))
        try settle()
        #expect(try machine.read { try $0.quarantined(after: 0, limit: 9).map(\.attempts) } == [2])
        // What it held all the time is no edit.
        machine.server.put(lower, .record(fields: ["title": "lower", "year": 1990], stamps: nil))
        try machine.tell(lower)
        try settle()
        #expect(try machine.title(1) == "mine" && machine.titleThere(upper) == "mine")
        machine.server.put(lower, .absent)
        try machine.tell(lower)
        #expect(try machine.quarantine().isEmpty)
    }

    @Test func `nor does it bring back what was deleted, whenever it is shown`() throws {
        let machine = try Machine.live(8)
        func settle() throws {
            while let request = machine.open.first {
                let isRemoval = if case .remove(lower, _, _) = request.call { true } else { false }
                try machine.answer(isRemoval ? RemoteError(.denied, "no") : nil)
            }
        }
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        try settle()
        try machine.edit(Machine.update(1, "mine"))
        try settle()
        try machine.edit(Machine.delete(1))
        try settle()
        #expect(machine.server.keys().contains(lower) && machine.titleThere(upper) == nil)
        for _ in 0..<3 {
            try machine.reconnect()
            try machine.snapshot()
            try settle()
            #expect(try machine.title(1) == nil && machine.titleThere(upper) == nil)
        }
        // What an app writes there afterwards is an edit.
        machine.server.put(lower, Machine.film(1, "anew"))
        try machine.tell(lower)
        try settle()
        #expect(try machine.title(1) == "anew")
    }

    @Test(arguments: [RemoteError.Code.denied, .tooLarge])
    func `a second key waits with a record that can't be read, and is merged once it can`(
        code: RemoteError.Code
    ) throws {
        let machine = try Machine.live(8)
        func settle(_ error: RemoteError?) throws {
            while let request = machine.open.first {
                let isRead = if case .read(upper, Machine.records) = request.call { true } else { false }
                try machine.answer(isRead ? error : nil)
            }
        }
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.reconnect()
        try machine.snapshot(order: [upper, lower] + machine.server.keys().filter { $0 != upper && $0 != lower })
        try settle(RemoteError(code, "no"))
        #expect(try machine.quarantine() == [.unreadableRecord, .unreadableRecord])
        #expect(machine.titleThere(lower) == "lower")
        try machine.take(.readAgain([Machine.id(1)]))
        try settle(nil)
        #expect(machine.titleThere(lower) == nil && machine.titleThere(upper) == "lower")
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 0)
    }
}
