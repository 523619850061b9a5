import DatabaseTree
import Dispatch
import FirebaseWire
import Foundation
import NIOCore
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import DatabaseServer

/// What is stored at once counts one after the other, for those who listen and for those who write beside it.
@Suite(.timeLimit(.minutes(1)))
struct CommitOrderTests {
    @Test func `who may not read for a moment is told of nothing any more`() async throws {
        let folder = try TemporaryFolder()
        let rules = #"{"rules":{"c":{".read":"data.child('open').val() == true"}}}"#
        try Data(rules.utf8).write(to: URL(filePath: folder("rules.json")))
        let queue = try await LooseQueue(folder.path, rules: folder("rules.json"))
        let commits = queue.commits
        try await queue.put("/c", #"{"open":true}"#)
        let listener = Visitor()
        let place = try WirePath(parsing: "/c")
        let writes = try [("open", "false"), ("secret", "42"), ("secret", "null"), ("open", "true")].map {
            try LooseQueue.write(.put, "/c/\($0)", $1)
        }
        await commits.betweenCommits {
            commits.listeners.add(listener, to: Subscription(path: place, query: nil), of: commits.root("db"))
            // All of them wait for the next commit.
            for write in writes { commits.commit(write) { _ in } }
        }
        await commits.whenTold {}
        #expect(listener.heard == [] && listener.isRevoked)
        try await queue.close()
    }

    @Test func `a large write that begins while others are being stored goes on from them`() async throws {
        let folder = try TemporaryFolder()
        let queue = try await LooseQueue(folder.path)
        try await queue.put("/l/a", "1")
        let (file, commits) = (queue.file, queue.commits)
        let (held, begun) = AsyncStream<Void>.makeStream()
        let release = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            file.writer.withLock { _ in
                begun.finish()
                release.wait()
            }
        }
        for await _ in held {}
        async let small: Void = queue.put("/s", "2")
        while commits.recent.withLock({ $0.underway.isEmpty }) { await Task.yield() }
        async let large = queue.large(.patch, "/l", #"{"b":3}"#)
        while commits.recent.withLock({ $0.judging == 0 }) { await Task.yield() }
        release.signal()
        _ = try await (small, large)
        #expect(try queue.value("/s") == .integer(2) && queue.value("/l/b") == .integer(3))
        try await queue.close()
        let again = try await LooseQueue(folder.path)
        #expect(again.text == queue.text)
        try await again.close()
    }
}

/// Anybody who listens.
private final class Visitor: Listening {
    private struct State {
        var heard: [String] = []
        var isRevoked = false
    }

    let id = 1
    let principal = Identity.nobody.principal
    private let state = Mutex(State())

    var heard: [String] { state.withLock { $0.heard } }
    var isRevoked: Bool { state.withLock { $0.isRevoked } }

    func offer(_ frames: ByteBuffer) {
        state.withLock { if !$0.isRevoked { $0.heard.append(String(buffer: frames)) } }
    }

    func revoke() { state.withLock { $0.isRevoked = true } }
}
