import ControlAPI
import Foundation
import LocalStore
import Logging
import Movies
import PluginKit
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

/// An engine with a real store and journal, a remote in memory, and a clock that a test drives.
struct EngineUnderTest: Sendable {
    let folder: TemporaryFolder
    let store: LocalStore
    let remote: FakeRemote
    let clock: HandClock
    let engine: SyncEngine

    /// - Parameters:
    ///   - checks: who is asked about lines of the journal.
    ///   - synchronize: brings the state to the disk; nil for what does so.
    ///   - socket: the name of the control socket, where there is one.
    ///   - isRestart: whether the state was there before, and its journal was read.
    init(
        checks: any CheckService = NoChecks(), synchronize: (@Sendable () throws -> Void)? = nil, socket: String? = nil,
        isRestart: Bool = false, plugin: any CollectionPlugin = Movies()
    ) throws {
        folder = try TemporaryFolder()
        if isRestart {
            let before = try LocalStore(folder: folder("state"))
            _ = try before.writeNow { try $0.backlogTimeIsKnown() }
            before.close()
        }
        store = try LocalStore(folder: folder("state"), synchronize: synchronize)
        remote = FakeRemote()
        clock = HandClock()
        var settings = EngineSettings(
            journalPath: folder("journal.jsonl"), changesPath: folder("changes.jsonl"),
            collections: [("movies", .full, .fields)])
        if let socket { settings.socketPath = folder(socket) }
        engine = SyncEngine(
            settings: settings, store: store, remote: remote, registry: try PluginRegistry(collections: [plugin]),
            checks: checks, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, pid: 1, clock: clock.clock)
    }

    /// Runs the engine while `body` runs.
    func whileRunning(_ body: @escaping @Sendable (EngineUnderTest) async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await engine.run() }
            do {
                try await body(self)
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
    }

    /// Appends lines to the journal.
    func append(_ lines: String...) throws {
        let path = folder("journal.jsonl")
        if !FileManager.default.fileExists(atPath: path) {
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
        }
        let handle = try #require(FileHandle(forWritingAtPath: path))
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Waits for a status that `condition` is true of.
    func until(_ what: String, _ condition: @escaping @Sendable (StatusSnapshot) -> Bool) async throws {
        try await within(.seconds(50), what, detail: { "\(engine.status())" }) {
            let progress = engine.context.status.waiters.watch()
            while !condition(engine.status()) {
                try Task.checkCancellation()
                await progress.wait(for: .milliseconds(100))
            }
        }
    }

    /// Lets time pass in steps of so many milliseconds until something is so.
    ///
    /// - Returns: how many milliseconds have passed.
    @discardableResult
    func letTimePass(
        _ step: UInt64, until what: String, _ isSo: @escaping @Sendable () -> Bool
    ) async throws -> UInt64 {
        let began = clock.wall
        return try await within(.seconds(50), what) {
            let progress = engine.context.status.waiters.watch()
            while !isSo() {
                try Task.checkCancellation()
                clock.advance(step)
                await progress.wait(for: .milliseconds(10))
            }
            return clock.wall - began
        }
    }
}
