import JournalTail
import Synchronization
import TestSupport
import Testing

/// What is left to do of a batch is done beside the next one, and in order.
struct SettlingTests {
    private let folder: TemporaryFolder
    private let said = Said()

    init() throws { folder = try TemporaryFolder() }
    private var journal: String { folder("journal.jsonl") }

    private final class Said: Sendable {
        let words = Mutex<[String]>([])
        let bell = Bell()

        func note(_ word: String) {
            words.withLock { $0.append(word) }
            bell.ring()
        }

        func wait(for word: String) async throws {
            try await until(word, within: .seconds(20), hearing: [bell]) {
                self.words.withLock { $0.contains(word) } ? () : nil
            }
        }
    }

    private struct TestFailure: Error {}

    private static func name(_ event: JournalEvent, _ number: inout Int) -> String {
        switch event {
        case .batch:
            number += 1
            return "batch \(number)"
        case .caughtUp: return "caughtUp"
        case .watching: return "watching"
        case .begun: return "begun"
        default: return "other"
        }
    }

    /// The words of a run over three batches, until they are caught up with, or something fails.
    private func run(
        handling handle: @escaping @Sendable (String) async throws -> Void = { _ in },
        settling settle: @escaping @Sendable (String) async throws -> Void
    ) async throws -> [String] {
        Files.write(String(repeating: "{\"id\":1}\n", count: 9_000), to: journal)
        let tail = JournalTail(path: journal, from: .init(nil))
        var number = 0
        try await tail.run { event in
            Self.name(event, &number)
        } _: { [said] name in
            said.note("handled \(name)")
            try await handle(name)
            return name
        } settling: { [said] name in
            try await settle(name)
            said.note("settled \(name)")
            if name == "caughtUp" { tail.stop() }
        }
        return said.words.withLock { $0 }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a batch is handled while the one before it is settled, and nothing else is`() async throws {
        let words = try await run { [said] name in
            // It never settles where the next batch is not begun meanwhile.
            if name == "batch 1" { try await said.wait(for: "handled batch 2") }
        }
        let numbers = words.filter { $0.hasPrefix("handled batch") }.count
        #expect(numbers > 1)
        #expect(words.filter { $0.hasPrefix("settled batch") } == (1...numbers).map { "settled batch \($0)" })
        let settled = try #require(words.firstIndex(of: "settled batch \(numbers)"))
        #expect(settled < words.firstIndex(of: "handled caughtUp") ?? 0)
    }

    @Test(.timeLimit(.minutes(1)))
    func `where settling fails what was begun meanwhile is settled too, and nothing more is handled`() async throws {
        await #expect(throws: TestFailure.self) {
            _ = try await run { [said] name in
                guard name == "batch 1" else { return }
                try await said.wait(for: "handled batch 2")
                throw TestFailure()
            }
        }
        let words = said.words.withLock { $0 }
        #expect(words.filter { $0.hasPrefix("handled batch") } == ["handled batch 1", "handled batch 2"])
        #expect(words.last == "settled batch 2")
    }

    @Test(.timeLimit(.minutes(1)))
    func `where handling fails all before it is settled`() async throws {
        await #expect(throws: TestFailure.self) {
            _ = try await run { name in
                if name == "batch 2" { throw TestFailure() }
            } settling: { _ in
            }
        }
        let settled = said.words.withLock { $0 }.filter { $0.hasPrefix("settled") }
        #expect(settled == ["settled watching", "settled begun", "settled batch 1"])
    }
}
