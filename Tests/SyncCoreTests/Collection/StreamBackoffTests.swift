import SyncCore
import SyncModel
import Testing

/// When a stream that has ended is opened again.
struct StreamBackoffTests {
    typealias Machine = MachineUnderTest

    /// Each time it shows all that there is.
    @Test func `a stream that is cut whenever it is live is opened ever later`() throws {
        let machine = try Machine.live(3)
        var waits: [UInt64] = []
        for _ in 0..<6 {
            let stream = try #require(machine.streams[Machine.records])
            try machine.take(.streamEnded(Machine.records, stream: stream.number, RemoteError(.streamEnded, "cut")))
            var wait: UInt64 = 0
            while machine.streams[Machine.records]?.number == stream.number, wait < 100_000 {
                try machine.pass(250)
                wait += 250
            }
            waits.append(wait)
            try machine.snapshot()
            try machine.settle()
        }
        #expect(waits[5] > 4 * waits[0], "\(waits)")
        try machine.pass(60_000)
        let last = try #require(machine.streams[Machine.records])
        try machine.take(.streamEnded(Machine.records, stream: last.number, RemoteError(.streamEnded, "cut")))
        try machine.pass(1000)
        #expect(machine.streams[Machine.records]?.number != last.number)
    }

    @Test(arguments: [PullMode.full, .incremental])
    func `a stream that stays open and shows nothing of what stands there is opened anew`(pull: PullMode) throws {
        let machine = try Machine(pull: pull)
        try machine.take(.start)
        try machine.settle()
        let stream = try #require(machine.streams[Machine.records])
        try machine.pass(119_000)
        #expect(machine.streams[Machine.records]?.number == stream.number)
        try machine.pass(1_000)
        let downs = machine.notes.compactMap { note in
            if case .streamDown(Machine.records, let error, _) = note { error.message } else { nil }
        }
        #expect(downs == ["it has shown nothing of what stands there for 120 s"])
        for _ in 0..<20 { try machine.pass(1_000) }
        #expect(machine.streams[Machine.records]?.number ?? 0 > stream.number)
        try machine.settleAndShow()
        try machine.pass(200_000)
        #expect(machine.notes.count { if case .streamDown(Machine.records, _, _) = $0 { true } else { false } } == 1)
    }
}
