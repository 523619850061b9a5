import Foundation
import LocalStore
import SyncCore
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Nobody hears of what may not be on the disk.
struct DurabilityTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    /// A disk that takes what it is given only as it is told to.
    private final class Disk: Sendable {
        enum Mood { case takes, keepsWaiting, fails }

        let mood = Mutex(Mood.takes)
        /// How often it was asked.
        let asked = Atomic(0)
        let bell = Bell()
        private let isFree = DispatchSemaphore(value: 0)

        func synchronize() throws {
            asked.add(1, ordering: .relaxed)
            bell.ring()
            switch mood.withLock({ $0 }) {
            case .takes: return
            case .keepsWaiting: isFree.wait()
            case .fails: throw TestFailure()
            }
        }

        func free() {
            mood.withLock { $0 = .takes }
            isFree.signal()
        }
    }

    /// Who was told that what they do is done.
    private final class Told: Sendable {
        let words = Mutex<Set<String>>([])

        func note<Result: Sendable>(
            _ word: String, after body: @Sendable () async throws -> Result
        ) async throws -> Result {
            let result = try await body()
            words.withLock { _ = $0.insert(word) }
            return result
        }
    }

    private struct TestFailure: Error {}

    private func open(_ disk: Disk) throws -> LocalStore {
        try LocalStore(folder: folder.path, synchronize: { try disk.synchronize() })
    }

    private func put(_ number: UInt64, in store: LocalStore) async throws {
        _ = try await store.write { try $0.put(Sample.film("Alien", 5), number) }
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `who writes and who reads waits for the disk, and others write meanwhile`() async throws {
        let disk = Disk()
        let store = try open(disk)
        disk.mood.withLock { $0 = .keepsWaiting }
        let before = disk.asked.load(ordering: .relaxed)
        let told = Told()
        async let first: Void = told.note("written", after: { try await put(1, in: store) })
        try await until("the disk is asked", within: .seconds(20), hearing: [disk.bell]) {
            disk.asked.load(ordering: .relaxed) > before ? () : nil
        }
        let second = try await store.commit { try $0.put(Sample.film("Aliens", 6), 2) }
        async let read = told.note("read", after: { try await store.read { try $0.counts(of: "movies").records } })
        #expect(told.words.withLock { $0 } == [])
        disk.free()
        try await first
        #expect(try await read == 2)
        try await store.isDurable(second.number)
        #expect(told.words.withLock { $0 } == ["written", "read"])
        store.close()
    }

    @Test func `commits that came meanwhile go to the disk together`() async throws {
        let disk = Disk()
        let store = try open(disk)
        let before = disk.asked.load(ordering: .relaxed)
        var last: UInt64 = 0
        for number in 1...5 {
            last = try await store.commit { try $0.put(Sample.film("Alien", 5), UInt64(number)) }.number
        }
        #expect(disk.asked.load(ordering: .relaxed) == before)
        try await store.isDurable(last)
        try await store.isDurable(last - 2)
        #expect(disk.asked.load(ordering: .relaxed) == before + 1)
        store.close()
    }

    @Test func `a transaction that changes nothing does not ask the disk`() async throws {
        let disk = Disk()
        let store = try open(disk)
        try await put(1, in: store)
        let before = disk.asked.load(ordering: .relaxed)
        _ = try await store.write { try $0.record(Sample.key(1)) }
        _ = try await store.read { try $0.record(Sample.key(1)) }
        #expect(disk.asked.load(ordering: .relaxed) == before)
        store.close()
    }

    @Test func `where the disk fails nothing counts as written from then on`() async throws {
        let disk = Disk()
        let store = try open(disk)
        try await put(1, in: store)
        disk.mood.withLock { $0 = .fails }
        await #expect(throws: StoreError.self) { try await put(2, in: store) }
        // It may say that it is well again, and have lost what it did not take.
        disk.mood.withLock { $0 = .takes }
        await #expect(throws: StoreError.self) { try await put(3, in: store) }
        #expect(throws: StoreError.self) { try store.writeNow { try $0.put(Sample.film("Alien", 5), 4) } }
        await #expect(throws: StoreError.self) { try await store.read { try $0.record(Sample.key(1)) } }
        store.close()
    }
}
