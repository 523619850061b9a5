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
}
