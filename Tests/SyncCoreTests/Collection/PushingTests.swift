import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// How what is pending reaches the remote: `docs/protocol.md` section 7.
struct PushingTests {
    typealias Machine = MachineUnderTest

    /// A machine that knows films of others, with the ETags.
    @Test func `nothing is pushed before both snapshots have been merged`() throws {
        let machine = try Machine()
        try machine.take(.start)
        try machine.edit(Machine.create(1, "A"))
        try machine.snapshot()
        #expect(machine.calls.isEmpty)
        try machine.snapshot(Machine.tombstones)
        #expect(machine.calls.count == 1 && machine.calls.allSatisfy(\.isBatch))
        try machine.settle()
        #expect(machine.titleThere(1) == "A")
    }

    @Test func `after an unknown outcome only conditional writes follow, and our own stamp is an acknowledgement`()
        throws
    {
        let machine = try Machine.live(0)
        try machine.edit(Machine.create(1, "A"))
        // The batch was carried out, the answer was lost.
        _ = machine.open.first.map { machine.server.answer($0.call) }
        try machine.answer(RemoteError(.outcomeUnknown, "cut"))
        try machine.pass(60_000)
        try machine.settle()
        #expect(machine.calls.count(where: \.isBatch) == 1)
        #expect(try machine.record(1).pending == .no && machine.titleThere(1) == "A")
        #expect(try machine.counts().conflicts == 0)
    }

    @Test(arguments: [true, false])
    func `a first write over another node's, with one stamp for the record, is in the ledger where it lost`(
        wasThere: Bool
    ) throws {
        let machine = try Machine(byRecord: true)
        try machine.goLive()
        try machine.edit(Machine.create(1, "mine"))
        func others() throws {
            let stamp = Stamp(physical: Machine.start + 500, counter: 0, node: Machine.other)
            machine.put(1, Machine.film(1, "theirs", stamp))
            try machine.tell(Machine.id(1))
        }
        if wasThere { try others() }
        try machine.answer()
        try machine.tell(Machine.id(1))
        // Where it comes later, an app may have written in between: it had seen ours.
        if !wasThere { try others() }
        try machine.settle()
        try machine.pass(5000)
        try machine.settle()
        #expect(try machine.title(1) == "theirs" && machine.titleThere(1) == "theirs")
        let lost = try machine.read { try $0.conflicts(before: 0, limit: 9) }.map(\.loser.content?.fields["title"])
        #expect(lost == (wasThere ? ["mine"] : []))
    }

    @Test func `a line that claims an earlier time is in the ledger, also under a stamp that an app's value lost with`()
        throws
    {
        let machine = try Machine.live(0)
        try machine.edit(Machine.create(1, "mine"))
        try machine.settle()
        try machine.tell(Machine.id(1))
        // Dated within the same millisecond: with the very stamp that follows on the edit's.
        machine.put(1, Machine.film(1, "app's"))
        try machine.tell(Machine.id(1))
        try machine.settle()
        let dated = try #require(try machine.record(1).state.remote?.stamp)
        func theirs(_ milliseconds: UInt64) -> Stamp {
            Stamp(physical: Machine.start + milliseconds, counter: 0, node: Machine.other)
        }
        let stamps = RemoteStamps(theirs(600), fields: FieldStamps(theirs(500)), replaces: dated)
        guard case .record(let fields, _) = Machine.film(1, "theirs") else { throw Machine.Missing() }
        machine.put(1, .record(fields: fields, stamps: stamps))
        try machine.tell(Machine.id(1))
        try machine.settle()
        let at = #","at":"\#(RFC3339.text(Machine.start - 120_000))"}"#
        try machine.edit(String(Machine.update(1, "late").dropLast()) + at)
        try machine.settle()
        #expect(try machine.title(1) == "theirs" && machine.titleThere(1) == "theirs")
        let lost = try machine.read { try $0.conflicts(before: 0, limit: 9) }.map(\.loser)
        #expect(lost.map(\.content?.fields) == [["title": "late"], ["title": "app's"]])
        #expect(lost.map(\.stamp) == [dated, dated])
    }

    /// Films of these numbers, one after the other, each acknowledged where it is sent.
    private func create(_ numbers: ClosedRange<UInt64>, _ machine: Machine) throws {
        for number in numbers {
            try machine.edit(Machine.create(number, "A"))
            try machine.settle()
        }
    }

    @Test func `what is pushed does not run away from what the stream shows of it`() throws {
        let machine = try Machine(mostUnechoed: 3)
        try machine.goLive()
        try create(1...6, machine)
        #expect(machine.server.keys().count == 3)
        try machine.tell(Machine.id(2))
        try machine.settle()
        try create(7...9, machine)
        #expect(machine.server.keys().count == 6)
        // A stream that is no more owes nothing, and the next one shows it all.
        guard let stream = machine.streams[Machine.records] else { throw Machine.Missing() }
        try machine.take(.streamEnded(Machine.records, stream: stream.number, RemoteError(.streamEnded, "cut")))
        try machine.settle()
        #expect(machine.server.keys().count == 9)
        try machine.pass(2000)
        try machine.snapshot()
        try machine.settle()
        #expect(machine.machine.unconfirmed == 0)
        try create(10...10, machine)
        #expect(machine.server.keys().count == 10)
    }

    @Test func `a snapshot that is being shown owes its echoes too`() throws {
        let machine = try Machine(mostUnechoed: 3)
        try machine.goLive()
        try machine.reconnect()
        try machine.events([.snapshotBegan])
        try create(1...9, machine)
        #expect(machine.server.keys().count == 3)
        try machine.events([.snapshotEnded(entries: 0)])
        try machine.settle()
        #expect(try machine.server.keys().count == 9 && machine.counts().pending == 0)
    }

    @Test func `what waits goes out in full batches, several at a time`() throws {
        let machine = try Machine(mostUnechoed: 9000)
        try machine.goLive()
        try machine.edit((1...9000).map { Machine.create($0, "A") })
        #expect(machine.open.count > 2)
        try machine.settle()
        let sizes = machine.calls.compactMap { if case .writeBatch(let elements) = $0 { elements.count } else { nil } }
        #expect(sizes.reduce(0, +) == 9000 && Set(sizes.dropLast()).count == 1, "\(sizes)")
    }

    @Test func `ten edits of a film cost one write`() throws {
        let machine = try Machine.live(2)
        machine.server.hidesETags = false
        for number in 0..<10 { try machine.edit(Machine.update(1, "T\(number)")) }
        try machine.settle()
        #expect(machine.titleThere(1) == "T9")
        #expect(machine.calls.count(where: \.isWrite) == 1)
    }

    // MARK: Storms

    @Test func `where a proxy hides the ETags the push waits, and longer each time`() throws {
        let machine = try Machine.live(2)
        machine.server.hidesETags = true
        try machine.edit(Machine.update(1, "mine"))
        let known = machine.notes.count
        for _ in 0..<600 {
            try machine.settle()
            try machine.pass(1000)
        }
        #expect(machine.calls.count < 30)
        // What is of no use ends no failure.
        #expect(!machine.notes[known...].contains { if case .succeeded = $0 { true } else { false } })
        #expect(
            machine.notes.contains { if case .failed(let error, _) = $0 { error.code.word == "noETag" } else { false } }
        )
        machine.server.hidesETags = false
        try machine.pass(60_000)
        try machine.settle()
        #expect(machine.titleThere(1) == "mine")
    }

    @Test func `where others are always first the push waits, and longer each time`() throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.update(1, "mine"))
        var round: UInt64 = 0
        for _ in 0..<600 {
            while let request = machine.open.first {
                if request.call.isWrite {
                    round += 1
                    machine.put(1, Machine.film(1, "theirs \(round)", Machine.stamp(40_000 - round)))
                }
                try machine.answer()
                if round > 2000 { break }
            }
            try machine.pass(1000)
        }
        #expect(machine.calls.count < 300)
        #expect(
            machine.notes.contains {
                if case .failed(let error, _) = $0 { error.code.word == "contended" } else { false }
            })
        // What is read meanwhile does not end that: status goes on saying that writing fails.
        #expect(
            machine.notes.contains {
                if case .writeFailed(let error) = $0 { error.code.word == "contended" } else { false }
            })
        #expect(!machine.notes.contains { if case .succeeded(writing: true) = $0 { true } else { false } })
        try machine.pass(60_000)
        try machine.settle()
        #expect(machine.titleThere(1) == "mine")
    }

    @Test func `a busy server is asked less, and again when it has said so`() throws {
        let machine = try Machine.live(100)
        for number in 0..<40 as Range<UInt64> { try machine.edit(Machine.update(number, "mine")) }
        let first = machine.open.count
        #expect(first >= 8 && first <= RequestWindow.most)
        for _ in 0..<first { try machine.answer(RemoteError(.unavailable, "busy", retryAfter: .seconds(30))) }
        #expect(machine.open.isEmpty)
        try machine.pass(29_000)
        #expect(machine.open.isEmpty)
        try machine.pass(1000)
        #expect(!machine.open.isEmpty && machine.open.count < first)
        try machine.settle()
        #expect(try machine.counts().pending == 0)
    }

    @Test func `a delete writes its tombstone, then removes`() throws {
        let machine = try Machine.live(9)
        try machine.edit(Machine.delete(1))
        try machine.settle()
        #expect(machine.titleThere(1) == nil)
        #expect(machine.server.entry(Machine.id(1).description, in: Machine.tombstones).value != .absent)
        #expect(try machine.counts().pending == 0 && machine.counts().tombstones == 1)
    }

    @Test func `a tombstone alone waits for no echo of the records`() throws {
        let machine = try Machine(writeGuard: .rules)
        machine.fill(2)
        try machine.goLive()
        try machine.edit(Machine.delete(9))
        #expect(machine.open.count == 1 && machine.machine.unconfirmed == 1)
        try machine.settle()
        #expect(
            machine.machine.unconfirmed == 0
                && machine.server.entry(Machine.id(9).description, in: Machine.tombstones).value != .absent)
    }

    @Test func `a write alone whose answer is lost counts as an attempt, too`() throws {
        let machine = try Machine.live(0)
        try machine.reconnect()
        try machine.edit(Machine.create(5, "new"))
        #expect(machine.open.count == 1 && !machine.calls.contains(where: \.isBatch))
        try machine.answer(RemoteError(.outcomeUnknown, "cut"))
        #expect(try machine.record(5).state.newInRun == nil)
    }

    @Test(arguments: [true, false], [true, false])
    func `what a push must read first is asked for again while the pull is paused`(
        isPausedFirst: Bool, isAnswered: Bool
    ) throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.create(5, "new"))
        try machine.settle()
        if isPausedFirst { try machine.take(.paused([.pull])) }
        try machine.edit(Machine.update(5, "mine"))
        let key = Machine.id(5).description
        #expect(machine.open.map(\.call) == [.read(key, Machine.records)])
        if isAnswered {
            try machine.answer(with: .entry(RemoteEntry(key: key, value: .absent)))
        } else {
            try machine.answer(RemoteError(.unavailable, "busy"))
        }
        if !isPausedFirst { try machine.take(.paused([.pull])) }
        for _ in 0..<3 {
            try machine.pass(60_000)
            try machine.settle()
        }
        #expect(machine.titleThere(5) == "mine")
        #expect(try machine.counts().pending == 0)
    }
}
