import Firebase
import PluginKit
import SyncModel
import Testing

/// A listener under way: its events one by one, and in the end its error.
struct Listening {
    private var events: AsyncThrowingStream<[RemoteEvent], any Error>.Iterator
    private var rest: ArraySlice<RemoteEvent> = []
    /// How many events came at once, each time.
    private(set) var batches: [Int] = []

    fileprivate init(_ events: AsyncThrowingStream<[RemoteEvent], any Error>) {
        self.events = events.makeAsyncIterator()
    }

    /// The next event; what the listener threw is thrown here.
    mutating func next() async throws -> RemoteEvent {
        while rest.isEmpty {
            let batch = try #require(try await events.next())
            batches.append(batch.count)
            rest = batch[...]
        }
        return rest.removeFirst()
    }

    mutating func next(_ count: Int) async throws -> [RemoteEvent] {
        var found: [RemoteEvent] = []
        for _ in 0..<count { found.append(try await next()) }
        return found
    }

    /// The error that ends the listener.
    mutating func end() async throws -> RemoteError {
        do {
            let event = try await next()
            Issue.record("instead of an end came \(event)")
        } catch let error as RemoteError {
            return error
        }
        throw CancellationError()
    }
}

/// Runs `body` while `remote` listens to `keyspace`, and ends the listener.
func withListener(
    _ remote: FirebaseRemote, to keyspace: Keyspace = movies, after cursor: UInt64? = nil,
    _ body: (inout Listening) async throws -> Void
) async throws {
    let (events, continuation) = AsyncThrowingStream<[RemoteEvent], any Error>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            do {
                try await remote.listen(to: keyspace, after: cursor) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        defer { group.cancelAll() }
        var listening = Listening(events)
        try await body(&listening)
    }
}
