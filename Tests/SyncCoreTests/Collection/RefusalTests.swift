import LocalStore
import SyncCore
import SyncModel
import Testing

/// What the remote refuses: `docs/protocol.md` section 7.
struct RefusalTests {
    typealias Machine = MachineUnderTest

    /// Answers all, except that what `isBad` is of is refused.
    private func settle(_ machine: Machine, _ code: RemoteError.Code, unless isBad: (RemoteCall) -> Bool) throws {
        for _ in 0..<500 {
            guard let request = machine.open.first else { return }
            try machine.answer(isBad(request.call) ? RemoteError(code, "no") : nil)
        }
    }

    private func names(_ call: RemoteCall, _ number: UInt64) -> Bool {
        switch call {
        case .writeBatch(let elements): elements.contains { $0.key == Machine.id(number).description }
        case .write(let write, _, _): write.key == Machine.id(number).description
        default: false
        }
    }

    @Test(arguments: [RemoteError.Code.refused, .denied])
    func `a refused batch is halved until the record is found, and the others are written`(code: RemoteError.Code)
        throws
    {
        let machine = try Machine.live(3)
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        try machine.edit(
            Machine.create(10, "A"), Machine.create(11, "A"), Machine.create(12, "A"), Machine.create(13, "A"))
        for _ in 0..<5 {
            try settle(machine, code) { names($0, 12) }
            try machine.edit(Machine.update(2, "mine"))
            try settle(machine, code) { names($0, 12) }
            try machine.pass(60_000)
        }
        try settle(machine, code) { names($0, 12) }
        #expect(try machine.quarantine() == [.refused])
        #expect([10, 11, 13].allSatisfy { machine.titleThere($0) == "A" } && machine.titleThere(12) == nil)
        let asked = machine.calls.count
        for _ in 0..<10 { try machine.pass(60_000) }
        #expect(machine.calls.count == asked)
        // With another version it is tried again.
        try machine.edit(Machine.update(12, "B"))
        try machine.settle()
        #expect(machine.titleThere(12) == "B")
        #expect(try machine.quarantine().isEmpty)
    }

    @Test func `an edit made while another was refused is tried`() throws {
        let machine = try Machine.live(3)
        try machine.edit(Machine.update(1, "odd"))
        try machine.answer()
        try machine.edit(Machine.update(1, "even"))
        try machine.answer(RemoteError(.refused, "no"))
        try machine.settle()
        #expect(machine.titleThere(1) == "even")
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 0)
    }

    @Test func `a version that was refused before goes back at once, though nothing else is written`() throws {
        let machine = try Machine.live(3)
        try machine.edit(Machine.update(1, "mine"))
        for _ in 0..<3 {
            try settle(machine, .denied) { names($0, 1) }
            try machine.edit(Machine.update(2, "mine"))
            try settle(machine, .denied) { names($0, 1) }
            try machine.pass(60_000)
        }
        #expect(try machine.quarantine() == [.refused])
        let context = machine.applier.context("movies")
        for attempts in 2...3 {
            _ = try machine.store.writeNow { book in
                let item = try #require(try book.quarantined(after: 0, limit: 1).first)
                try book.noteRetried(item)
                try book.release(item, context)
            }
            try machine.take(.edited([Machine.id(1)]))
            #expect(try machine.record(1).pending == .yes)
            try settle(machine, .denied) { $0.isWrite }
            let items = try machine.read { try $0.quarantined(after: 0, limit: 9) }
            #expect(items.map(\.attempts) == [attempts] && items.map(\.defect.code) == [.refused])
        }
    }

    @Test func `where no write was ever admitted the push waits, and nothing goes to quarantine`() throws {
        let machine = try Machine.live(0)
        try machine.edit(Machine.create(1, "A"), Machine.create(2, "B"))
        for _ in 0..<100 {
            try settle(machine, .denied) { $0.isWrite }
            try machine.pass(10_000)
        }
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 2)
        #expect(machine.calls.count < 80)
        try machine.pass(60_000)
        try machine.settle()
        #expect(machine.titleThere(1) == "A" && machine.titleThere(2) == "B")
    }

    @Test func `where nothing else is to be written, one version is set aside at its third denial`() throws {
        let machine = try Machine.live(3)
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        try machine.edit(Machine.update(2, "bad"))
        for _ in 0..<3 {
            #expect(try machine.quarantine().isEmpty)
            try settle(machine, .denied) { names($0, 2) }
            try machine.pass(60_000)
        }
        #expect(try machine.quarantine() == [.refused])
        // Without another success the next one waits.
        try machine.edit(Machine.update(0, "bad"))
        for _ in 0..<5 {
            try settle(machine, .denied) { names($0, 0) }
            try machine.pass(60_000)
        }
        #expect(try machine.quarantine() == [.refused] && machine.record(0).pending == .yes)
    }

    @Test(arguments: [WriteGuard.etag, .rules])
    func `where everything is denied after a write has succeeded the push waits, whatever is edited`(
        writeGuard: WriteGuard
    ) throws {
        let machine = try Machine(writeGuard: writeGuard)
        machine.fill(1)
        try machine.goLive()
        try machine.edit(Machine.update(0, "mine"))
        try machine.settle()
        try machine.edit((100..<400).map { Machine.create($0, "new") })
        for number in 0..<20 as Range<UInt64> {
            try settle(machine, .denied) { $0.isWrite }
            try machine.edit(Machine.create(1000 + number, "new"))
            try machine.pass(2000)
        }
        #expect(machine.calls.count < 150)
        try settle(machine, .denied) { $0.isWrite }
        try machine.pass(60_000)
        try machine.settle()
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 0)
        #expect(machine.titleThere(100) == "new" && machine.titleThere(1019) == "new")
    }

    /// Writes good ones, one after the other; what the remote has of each a second later.
    private func titles(
        _ machine: Machine, of numbers: Range<UInt64>, unless isBad: (RemoteCall) -> Bool
    ) throws -> [String?] {
        try numbers.map { number in
            try machine.edit(Machine.create(number, "good"))
            try machine.pass(1000)
            try settle(machine, .denied, unless: isBad)
            return machine.titleThere(number)
        }
    }

    @Test func `among many denied ones what is written later goes out at once`() throws {
        let machine = try Machine.live(1)
        try machine.edit(Machine.update(0, "mine"))
        try machine.settle()
        let isBad = { (call: RemoteCall) in (100..<200 as Range<UInt64>).contains { names(call, $0) } }
        try machine.edit((100..<200).map { Machine.create($0, "bad") })
        try settle(machine, .denied, unless: isBad)
        #expect(try titles(machine, of: 1000..<1010, unless: isBad).allSatisfy { $0 == "good" })
        #expect(try machine.quarantine().count > 10)
    }

    @Test func `among thousands of denied ones, too, what is written later goes out at once`() throws {
        let machine = try Machine.live(1)
        try machine.edit(Machine.update(0, "mine"))
        try machine.settle()
        let bad = Set((10_000..<13_000 as Range<UInt64>).map { Machine.id($0).description })
        let isBad = { (call: RemoteCall) in
            switch call {
            case .writeBatch(let elements): elements.contains { bad.contains($0.key) }
            case .write(let write, _, _): bad.contains(write.key)
            default: false
            }
        }
        try machine.edit((10_000..<13_000).map { Machine.create($0, "bad") })
        try settle(machine, .denied, unless: isBad)
        // The first one comes while not all of the others have been tried.
        #expect(try titles(machine, of: 1000..<1030, unless: isBad).dropFirst().allSatisfy { $0 == "good" })
        #expect(try machine.quarantine().count >= 15)
    }

    @Test func `what was set aside is tried again as soon as it shows that everything was denied`() throws {
        let machine = try Machine.live(3)
        try machine.edit(Machine.update(1, "mine"))
        try machine.settle()
        try machine.edit(Machine.update(2, "mine"))
        for _ in 0..<3 {
            try settle(machine, .denied) { $0.isWrite }
            try machine.pass(60_000)
        }
        #expect(try machine.quarantine() == [.refused])
        try machine.edit(Machine.update(0, "mine"))
        try settle(machine, .denied) { $0.isWrite }
        try machine.pass(60_000)
        try machine.settle()
        #expect((0...2).allSatisfy { machine.titleThere($0) == "mine" })
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 0)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `before anything was written one bad record keeps no other one from being written`(bad: UInt64) throws {
        let machine = try Machine.live(0)
        try machine.edit(Machine.create(1, "A"), Machine.create(2, "A"), Machine.create(3, "A"))
        for _ in 0..<3 {
            try settle(machine, .denied) { names($0, bad) }
            try machine.pass(2000)
        }
        #expect((1...3).allSatisfy { $0 == bad || machine.titleThere($0) == "A" })
        #expect(try machine.quarantine() == [.refused])
    }

    @Test func `what is edited while everything seems to be denied is tried soon`() throws {
        let machine = try Machine.live(0)
        try machine.edit(Machine.create(1, "bad"))
        for _ in 0..<10 {
            try settle(machine, .denied) { names($0, 1) }
            try machine.pass(60_000)
        }
        #expect(try machine.quarantine().isEmpty && machine.record(1).pending == .yes)
        try settle(machine, .denied) { names($0, 1) }
        try machine.edit(Machine.create(2, "good"))
        try machine.pass(1000)
        try settle(machine, .denied) { names($0, 1) }
        #expect(machine.titleThere(2) == "good")
        #expect(try machine.quarantine() == [.refused])
    }
}
