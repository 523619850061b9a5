import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Many changes by apps without stamps: the hold `massForeignChange` (`docs/protocol.md` section 10).
struct ForeignChangesTests {
    typealias Machine = MachineUnderTest

    private let lower = Machine.id(3).description.lowercased()

    private func numbers(_ count: UInt64) -> Range<UInt64> { 0..<count }

    @Test(arguments: [true, false])
    func `nearly everything changed by apps at once is not even read before a decision`(isApproved: Bool) throws {
        let machine = try Machine.live(150)
        for number in numbers(121) { machine.put(number, Machine.film(number, "app's")) }
        try machine.reconnect()
        let asked = machine.calls.count
        try machine.snapshot()
        try machine.pass(10_000)
        #expect(machine.calls.count == asked)
        #expect(try machine.holds() == [.massForeignChange] && machine.title(0) == "F0" && machine.title(120) == "F120")
        try machine.decide(.massForeignChange, approved: isApproved)
        for _ in 0..<3 {
            try machine.settle()
            try machine.pass(5000)
        }
        #expect(try machine.title(0) == (isApproved ? "app's" : "F0") && machine.title(149) == "F149")
        #expect(machine.titleThere(0) == (isApproved ? "app's" : "F0"))
        #expect(machine.titleThere(120) == (isApproved ? "app's" : "F120"))
        #expect(try machine.counts().pending == 0 && machine.holds().isEmpty)
    }

    @Test(arguments: [true, false])
    func `an edit goes out also where a new snapshot comes before many changes below records are judged`(
        isCut: Bool
    ) throws {
        let machine = try Machine.live(20)
        try machine.events(numbers(14).map { .touched(key: Machine.id($0).description) })
        try machine.edit(Machine.update(3, "edited"))
        if isCut { try machine.reconnect() }
        try machine.snapshot()
        try machine.settleWithPauses()
        #expect(machine.titleThere(3) == "edited")
        #expect(try machine.counts().pending == 0)
    }

    @Test(arguments: [true, false])
    func `a hold is raised also where a snapshot, or a cut, comes before they are judged`(isCut: Bool) throws {
        let machine = try Machine.live(150)
        for number in numbers(121) { machine.put(number, Machine.film(number, "app's")) }
        try machine.tell(all: numbers(121))
        if isCut { try machine.reconnect() }
        try machine.events([.snapshotBegan])
        try machine.settle()
        try machine.snapshot()
        try machine.settleWithPauses()
        #expect(try machine.holds() == [.massForeignChange] && machine.title(0) == "F0" && machine.title(120) == "F120")
    }

    @Test func `what another node has decided waits no more`() throws {
        let machine = try Machine.live(150)
        for number in numbers(125) { machine.put(number, Machine.film(number, "app's")) }
        machine.put(5, .absent)
        try machine.reconnect()
        try machine.snapshot()
        try machine.pass(10_000)
        try machine.settle()
        #expect(try machine.holds() == [.massForeignChange])
        for number in [UInt64(4), 6] {
            machine.put(number, Machine.film(number, "kept there", Machine.stamp(10)))
            try machine.tell(Machine.id(number))
        }
        // One that was gone, and is back as it was edited there since.
        machine.put(6, .absent)
        try machine.tell(Machine.id(6))
        machine.put(6, Machine.film(6, "edited there", Machine.stamp(5)))
        try machine.tell(Machine.id(6))
        try machine.settle()
        #expect(try machine.title(4) == "kept there" && machine.title(6) == "edited there")
        try machine.decide(.massForeignChange, approved: true)
        try machine.settle()
        #expect(machine.titleThere(4) == "kept there" && machine.titleThere(6) == "edited there")
        #expect(try machine.title(3) == "app's" && machine.counts().pending >= 0)
    }

    @Test func `nor what another node has deleted`() throws {
        let machine = try Machine.live(150)
        for number in numbers(121) { machine.put(number, Machine.film(number, "app's")) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.pass(10_000)
        machine.put(5, .absent)
        let tombstone = RemoteValue.tombstone(stamp: Machine.stamp(10), ended: nil)
        machine.server.put(Machine.id(5).description, tombstone, in: Machine.tombstones)
        try machine.tell(Machine.id(5), in: Machine.tombstones)
        try machine.tell(Machine.id(5))
        try machine.settle()
        #expect(try machine.read { try $0.held(Machine.key(5)).isEmpty && $0.holds().map(\.count) == [120] })
        #expect(try machine.title(5) == nil && machine.record(5).pending == .no)
    }

    @Test(arguments: [true, false])
    func `a hold says what it does with a record that was deleted before it began, or since`(isBefore: Bool) throws {
        let machine = try Machine.live(150)
        try machine.take(.paused([.push]))
        if isBefore { try machine.edit(Machine.delete(0)) }
        for number in numbers(121) { machine.put(number, Machine.film(number, "app's")) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.pass(10_000)
        #expect(try machine.holds() == [.massForeignChange])
        if !isBefore { try machine.edit(Machine.delete(0)) }
        let effect = try machine.read { book in
            let hold = try #require(try book.holds().first)
            let held = try HeldState(
                book.record(Machine.key(0)).state, held: book.held(Machine.key(0)), in: book, machine.applier)
            return HoldKind.massForeignChange.rule.effect(approved: true, on: held, of: hold)
        }
        #expect(effect.hasPrefix(isBefore ? "taken from the remote" : "stays deleted"), "\(effect)")
        try machine.decide(.massForeignChange, approved: true)
        #expect(try (machine.title(0) == nil) == !isBefore)
    }

    @Test(arguments: [true, false])
    func `also with the stamps that they had read, or below the records`(isBelow: Bool) throws {
        let machine = try Machine.live(150)
        for number in numbers(130) { machine.put(number, Machine.film(number, "app's", Machine.stamp(50_000))) }
        try machine.events(
            numbers(130).map {
                let key = Machine.id($0).description
                return isBelow ? .touched(key: key) : .changed(machine.server.entry(key, in: Machine.records))
            })
        try machine.pass(400)
        for _ in 0..<3 {
            try machine.settle()
            try machine.pass(400)
        }
        #expect(try machine.holds() == [.massForeignChange] && machine.title(0) == "F0")
        #expect(try machine.read { try $0.held(Machine.key(0)).first?.payload } != nil)
        try machine.decide(.massForeignChange, approved: false)
        for _ in 0..<3 {
            try machine.settle()
            try machine.pass(5000)
        }
        #expect(machine.titleThere(129) == "F129")
    }

    @Test func `a few below records are read as they come`() throws {
        let machine = try Machine.live(150)
        for number in numbers(60) { machine.put(number, Machine.film(number, "app's", Machine.stamp(50_000))) }
        try machine.events(numbers(60).map { .touched(key: Machine.id($0).description) })
        try machine.pass(400)
        try machine.settle()
        #expect(try machine.title(59) == "app's" && machine.holds().isEmpty)
    }

    @Test func `fewer are read without a question`() throws {
        let machine = try Machine.live(150)
        for number in numbers(120) { machine.put(number, Machine.film(number, "app's")) }
        try machine.reconnect()
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.holds().isEmpty && machine.title(0) == "app's")
    }

    @Test(arguments: [1, 7, 200])
    func `in however many pieces they come`(size: Int) throws {
        let machine = try Machine.live(150)
        for number in numbers(150) { machine.put(number, Machine.film(number, "app's")) }
        let asked = machine.calls.count
        let changes = numbers(150).map {
            RemoteEvent.changed(machine.server.entry(Machine.id($0).description, in: Machine.records))
        }
        for start in stride(from: 0, to: 150, by: size) {
            try machine.events(Array(changes[start..<min(start + size, 150)]))
            machine.monotonic += 1
        }
        try machine.pass(400)
        #expect(try machine.holds() == [.massForeignChange] && machine.title(149) == "F149")
        // The first few of what comes piece by piece are no crowd yet.
        #expect(machine.calls.count <= asked + (size == 200 ? 0 : 10))
    }

    @Test func `a few changes by apps are read at once, and one after the other they never wait long`() throws {
        let machine = try Machine.live(50)
        for number in numbers(50) {
            machine.put(number, Machine.film(number, "app's"))
            try machine.tell(Machine.id(number))
            if number < 10 { #expect(machine.open.count == 1, "number \(number)") }
            if number == 10 { #expect(machine.open.isEmpty) }
            try machine.settle()
            try machine.pass(100)
        }
        try machine.settle()
        #expect(try machine.title(20) == "app's" && machine.holds().isEmpty)
    }

    /// A machine on whose 150 films an app's titles wait for a person.
    ///
    /// - Parameter third: the key of film 3.
    private func held(third: String = Machine.id(3).description) throws -> Machine {
        let machine = try Machine()
        machine.fill(150)
        machine.put(3, .absent)
        machine.server.put(third, Machine.film(3, "F3", Machine.stamp(50_000)))
        try machine.goLive()
        for number in numbers(150) where number != 3 { machine.put(number, Machine.film(number, "app's")) }
        machine.server.put(third, Machine.film(3, "app's"))
        try machine.reconnect()
        try machine.snapshot()
        try machine.pass(10_000)
        #expect(try machine.holds() == [.massForeignChange])
        return machine
    }

    private func decided(_ machine: Machine, approved: Bool) throws {
        try machine.decide(.massForeignChange, approved: approved)
        for _ in 0..<3 {
            try machine.settle()
            try machine.pass(5000)
        }
        #expect(try machine.counts().pending == 0 && machine.holds().isEmpty)
    }

    @Test(arguments: [true, false])
    func `what an app does below a record that waits, waits too`(isApproved: Bool) throws {
        let machine = try held()
        machine.put(3, Machine.film(3, "app's second"))
        try machine.events([.touched(key: Machine.id(3).description)])
        machine.put(4, .absent)
        try machine.tell(Machine.id(4))
        try machine.settle()
        #expect(try machine.title(3) == "F3" && machine.title(4) == "F4")
        try decided(machine, approved: isApproved)
        #expect(try machine.title(3) == (isApproved ? "app's second" : "F3"))
        #expect(try machine.title(4) == (isApproved ? nil : "F4"))
        #expect(machine.titleThere(3) == (isApproved ? "app's second" : "F3"))
        #expect(machine.titleThere(4) == (isApproved ? nil : "F4"))
    }

    @Test(arguments: [true, false])
    func `what comes and goes under a second key of a record that waits is none of it`(isApproved: Bool) throws {
        let machine = try held()
        for value in [Machine.film(3, "second"), .absent] {
            machine.server.put(lower, value)
            try machine.tell(lower)
            try machine.settle()
        }
        #expect(try machine.read { try $0.held(Machine.key(3)).first?.payload } != nil)
        try decided(machine, approved: isApproved)
        #expect(try machine.title(3) == (isApproved ? "app's" : "F3"))
        #expect(machine.titleThere(3) == (isApproved ? "app's" : "F3") && machine.titleThere(lower) == nil)
    }

    @Test func `a second key waits for the hold that names its record, also where that ends by itself`() throws {
        let machine = try held()
        machine.server.put(lower, Machine.film(3, "second"))
        try machine.tell(lower)
        try machine.settle()
        #expect(machine.titleThere(lower) == "second")
        // Another node has decided.
        machine.put(3, Machine.film(3, "kept there", Machine.stamp(10)))
        try machine.tell(Machine.id(3))
        try machine.settleWithPauses()
        #expect(try machine.title(3) == "second" && machine.record(3).pending == .no)
        #expect(machine.titleThere(lower) == nil && machine.titleThere(3) == "second")
    }

    @Test func `the upper-case key of a record that waits under a lower-case one counts after the decision`() throws {
        let machine = try held(third: lower)
        machine.put(3, Machine.film(3, "upper"))
        try machine.tell(Machine.id(3))
        try machine.settle()
        #expect(try machine.title(3) == "F3" && machine.record(3).state.remoteKey == lower)
        try decided(machine, approved: true)
        #expect(try machine.title(3) == "upper" && machine.record(3).state.remoteKey == nil)
        #expect(machine.titleThere(3) == "upper" && machine.titleThere(lower) == nil)
    }

    @Test func `approved, what was edited here while it waited stays, and the ledger has the app's`() throws {
        let machine = try held()
        try machine.edit(Machine.delete(1))
        try machine.edit(Machine.update(2, "mine"))
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(3))","fields":{"year":1979,"hasWatched":true}}"#)
        try decided(machine, approved: true)
        #expect(try machine.title(1) == nil && machine.title(2) == "mine" && machine.title(3) == "app's")
        #expect(machine.titleThere(1) == nil && machine.titleThere(2) == "mine" && machine.titleThere(3) == "app's")
        #expect(try machine.record(3).state.view?.fields["year"] == 1979)
        let losers = try machine.read { try $0.conflicts(before: .max, limit: 10) }.map(
            \.loser.content?.fields["title"])
        #expect(losers == ["app's", "app's"])
    }
}
