import SyncCore
import SyncModel
import Testing

/// Reads that the remote, or a proxy before it, refuses.
struct RefusedReadTests {
    typealias Machine = MachineUnderTest

    private static let tooLong = RemoteError(.refused, "413")

    private static let denied = RemoteError(.denied, "Permission denied")

    /// An app changes a film, and the read of that is refused.
    private func refused(_ error: RemoteError = tooLong) throws -> Machine {
        let machine = try Machine.live(3)
        machine.put(1, Machine.film(1, "App"))
        try machine.tell(Machine.id(1))
        try machine.pass(5000)
        #expect(machine.open.map(\.call) == [.read(Machine.id(1).description, Machine.records)])
        try machine.answer(error)
        return machine
    }

    @Test(arguments: [tooLong, denied])
    func `a record that can't be read while others can goes to quarantine`(error: RemoteError) throws {
        let machine = try refused(error)
        try machine.answer()
        #expect(try machine.quarantine() == [.unreadableRecord] && machine.title(1) == "F1")
        #expect(machine.open.isEmpty && machine.machine.unconfirmed == 0)
    }

    @Test(arguments: [(tooLong, false), (tooLong, true), (denied, false), (denied, true)])
    func `where none can be read it is asked for again, ever more seldom`(error: RemoteError, isNull: Bool) throws {
        let machine = try refused(error)
        machine.server.answersNull = isNull
        try machine.answer(isNull ? nil : error)
        machine.server.answersNull = false
        let asked = machine.calls.count
        for _ in 0..<60 {
            try machine.pass(2000)
            while !machine.open.isEmpty { try machine.answer(error) }
        }
        #expect(try machine.quarantine() == [] && machine.machine.unconfirmed == 1)
        #expect(machine.calls.count - asked < 30)
        try machine.pass(120_000)
        try machine.settle()
        #expect(try machine.title(1) == "App" && machine.machine.unconfirmed == 0)
    }

    @Test(arguments: [1, 2, 3])
    func `what can't be a record and has no ETag counts the third time`(times: Int) throws {
        let machine = try Machine.live(3)
        machine.put(1, Machine.film(1, "App"))
        try machine.tell(Machine.id(1))
        try machine.pass(5000)
        let wrong = RemoteEntry(key: Machine.id(1).description, value: .record(fields: [:], stamps: nil))
        for _ in 0..<times {
            try machine.answer(with: .entry(wrong))
            #expect(machine.open.isEmpty)
            try machine.pass(60_000)
        }
        #expect(try machine.quarantine() == (times == 3 ? [.unreadableRecord] : []))
        try machine.settle()
        #expect(try machine.title(1) == (times == 3 ? "F1" : "App"))
    }

    @Test func `so does what can't be a tombstone, whose record is read each time`() throws {
        let machine = try Machine.live(3)
        machine.put(1, .absent)
        try machine.tell(Machine.id(1))
        let wrong = RemoteEntry(
            key: Machine.id(1).description, value: .unreadable(Defect(.unreadableRecord, "an error's text")))
        for _ in 0..<3 {
            try machine.answer()
            try machine.answer(with: .entry(wrong))
            try machine.pass(60_000)
        }
        #expect(try machine.quarantine() == [.unreadableRecord])
    }

    /// The records are shown all the while.
    @Test func `tombstones that nobody may read for a while are asked for again`() throws {
        let machine = try Machine.live(3)
        let denied = RemoteError(.denied, "Permission denied")
        guard let stream = machine.streams[Machine.tombstones] else { throw Machine.Missing() }
        try machine.take(.streamEnded(Machine.tombstones, stream: stream.number, denied))
        machine.put(1, .absent)
        try machine.tell(Machine.id(1))
        try machine.answer()
        #expect(machine.open.map(\.call) == [.read(Machine.id(1).description, Machine.tombstones)])
        try machine.answer(denied)
        #expect(try machine.quarantine() == [] && machine.title(1) == "F1")
        try machine.pass(120_000)
        try machine.settle()
        #expect(try machine.quarantine() == [] && machine.title(1) == nil)
    }

    @Test(arguments: [RemoteError.Code.refused, .tooLarge])
    func `pages keep the size that was taken, and grow again after some`(code: RemoteError.Code) throws {
        let machine = try Machine(pull: .incremental, keepsTombstones: false)
        machine.fill(1700)
        try machine.take(.start)
        var limits: [Int] = []
        while case .readRange(_, _, let limit, _)? = machine.open.first?.call {
            limits.append(limit)
            try machine.answer(limit > 150 ? RemoteError(code, "too much") : nil)
        }
        let expected: [Int] = [1000, 500, 250] + Array(repeating: 125, count: 8) + [250]
        #expect(Array(limits.prefix(12)) == expected)
        #expect(limits.count { $0 > 150 } <= 6 && limits.allSatisfy { $0 >= 125 })
        #expect(try machine.counts().records == 1700)
    }

    @Test func `a load whose page was cut begins again with shorter ones`() throws {
        let machine = try Machine(pull: .incremental, keepsTombstones: false)
        machine.fill(30)
        try machine.take(.start)
        try machine.answer(RemoteError(.outcomeUnknown, "the connection was cut"))
        try machine.pass(2000)
        #expect(machine.open.map(\.call) == [.readRange(from: nil, through: nil, limit: 500, Machine.records)])
    }

    @Test func `many hints whose page is refused are read one by one`() throws {
        let machine = try Machine.live(100)
        for number: UInt64 in 0..<70 { machine.put(number, Machine.film(number, "App")) }
        for number: UInt64 in 0..<70 { try machine.tell(Machine.id(number)) }
        try machine.pass(5000)
        for _ in 0..<500 {
            guard let call = machine.open.first?.call else { break }
            if case .readRange = call { try machine.answer(Self.tooLong) } else { try machine.answer() }
        }
        #expect(try machine.title(69) == "App" && machine.open.isEmpty && machine.quarantine() == [])
    }

    @Test(arguments: [tooLong, denied])
    func `a record that can neither be written nor read is set aside`(error: RemoteError) throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.create(50, "bad"))
        for round in 1...40 {
            if round.isMultiple(of: 5) { try machine.edit(Machine.update(0, "good \(round)")) }
            while let call = machine.open.first?.call {
                let isBad = "\(call)".contains(Machine.id(50).description) && !"\(call)".contains("tombstones")
                try machine.answer(isBad ? error : nil)
            }
            try machine.pass(60_000)
        }
        #expect(try machine.quarantine() == [.refused])
    }
}
