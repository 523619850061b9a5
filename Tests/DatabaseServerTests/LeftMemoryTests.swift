import TestSupport
import Testing

@testable import DatabaseServer

/// When memory that was left behind is given back.
struct LeftMemoryTests {
    enum Left: CaseIterable {
        case row, body, connection

        /// How many it takes until it is worth giving back.
        var enough: Int { LeftMemory.minRows / (self == .connection ? LeftMemory.rowsPerConnection : 1) + 1 }
    }

    /// What was left behind, and whether it is worth giving back.
    private final class Heap {
        private var memory = LeftMemory()

        init(_ left: Left) {
            let begins = (1...left.enough).map { _ in leave(left) }
            #expect(begins.firstIndex(of: true) == left.enough - 1)
        }

        /// Whether a wait begins.
        func leave(_ left: Left) -> Bool {
            switch left {
            case .row: memory.leave(rows: 1)
            case .body: memory.leave(bytes: LeftMemory.bytesPerRow)
            case .connection: memory.leaveConnection()
            }
        }

        func isQuiet() -> Bool { memory.isQuiet() }
    }

    @Test(arguments: Left.allCases)
    func `much that is left is given back once, when things are quiet`(_ left: Left) {
        let heap = Heap(left)
        for _ in 0..<2 {
            let begins = (0..<left.enough).map { _ in heap.leave(left) }
            #expect(!begins.contains(true), "a second wait has begun")
            #expect(!heap.isQuiet())
        }
        #expect(heap.isQuiet())
        #expect(!heap.leave(left))
    }

    @Test func `a few connections that end are quiet, a single row is not`() {
        let heap = Heap(.connection)
        for _ in 0..<LeftMemory.manyConnections { #expect(!heap.leave(.connection)) }
        #expect(!heap.isQuiet())
        #expect(!heap.leave(.row))
        #expect(!heap.isQuiet())
        for _ in 1..<LeftMemory.manyConnections { #expect(!heap.leave(.connection)) }
        #expect(heap.isQuiet())
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a hub gives back the memory of many connections that have ended`() async throws {
        let (times, given) = AsyncStream<Void>.makeStream()
        try await withServer(options: { $0.giveBack = { given.yield() } }) { client in
            for _ in 0..<Left.connection.enough { _ = try await exchange("", with: client, halfClosing: true) }
            for await _ in times.prefix(1) {}
        }
    }
}
