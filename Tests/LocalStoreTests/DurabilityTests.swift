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

    private func open(_ disk: HandDisk) throws -> LocalStore {
        try LocalStore(folder: folder.path, synchronize: { try disk.synchronize() })
    }

    private func put(_ number: UInt64, in store: LocalStore) async throws {
        _ = try await store.write { try $0.put(Sample.film("Alien", 5), number) }
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `who writes and who reads waits for the disk, and others write meanwhile`() async throws {
        let disk = HandDisk()
        let store = try open(disk)
        disk.set(.keepsWaiting)
        let before = disk.asked
        let told = Told()
        async let first: Void = told.note("written", after: { try await put(1, in: store) })
        try await until("the disk is asked", within: .seconds(20), hearing: [disk.bell]) {
            disk.asked > before ? () : nil
        }
        let second = try await store.commit { try $0.put(Sample.film("Aliens", 6), 2) }
        async let read = told.note("read", after: { try await store.read { try $0.counts(of: "movies").records } })
        #expect(told.words.withLock { $0 } == [])
        disk.free()
        try await first
        #expect(try await read == 2)
        try await store.isDurable(second)
        #expect(told.words.withLock { $0 } == ["written", "read"])
        store.close()
    }

    @Test func `commits that came meanwhile go to the disk together`() async throws {
        let disk = HandDisk()
        let store = try open(disk)
        let before = disk.asked
        var commits: [Committed<Void>] = []
        for number in 1...5 {
            commits.append(try await store.commit { try $0.put(Sample.film("Alien", 5), UInt64(number)) })
        }
        #expect(disk.asked == before)
        try await store.isDurable(commits[4])
        try await store.isDurable(commits[2])
        #expect(disk.asked == before + 1)
        store.close()
    }

    @Test func `a transaction that changes nothing does not ask the disk`() async throws {
        let disk = HandDisk()
        let store = try open(disk)
        try await put(1, in: store)
        let before = disk.asked
        _ = try await store.write { try $0.record(Sample.key(1)) }
        _ = try await store.read { try $0.record(Sample.key(1)) }
        #expect(disk.asked == before)
        store.close()
    }

    @Test func `where the disk fails nothing counts as written from then on`() async throws {
        let disk = HandDisk()
        let store = try open(disk)
        try await put(1, in: store)
        disk.set(.fails)
        await #expect(throws: StoreError.self) { try await put(2, in: store) }
        // It may say that it is well again, and have lost what it did not take.
        disk.set(.takes)
        await #expect(throws: StoreError.self) { try await put(3, in: store) }
        #expect(throws: StoreError.self) { try store.writeNow { try $0.put(Sample.film("Alien", 5), 4) } }
        await #expect(throws: StoreError.self) { try await store.read { try $0.record(Sample.key(1)) } }
        store.close()
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a short one keeps its thread, and others hear of the same turn of the disk, well or badly`() async throws {
        for (end, isWell) in [(HandDisk.Mood.takes, true), (.fails, false)] {
            let disk = HandDisk()
            let store = try open(disk)
            let committed = try await store.commit(isShort: true) { try $0.put(Sample.film("Alien", 5), 1) }
            disk.set(.keepsWaiting)
            let before = disk.asked
            async let first = Result.of { try await store.isDurable(committed) }
            try await until("the disk is asked", within: .seconds(20), hearing: [disk.bell]) {
                disk.asked > before ? () : nil
            }
            async let second = Result.of { try await store.isDurable(committed) }
            disk.free(end)
            #expect(await [first.isSuccess, second.isSuccess] == [isWell, isWell])
            #expect(disk.asked == before + 1)
            store.close()
        }
    }
}

extension Result where Success == Void, Failure == any Error {
    fileprivate static func of(_ body: () async throws -> Void) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    fileprivate var isSuccess: Bool { (try? get()) != nil }
}
