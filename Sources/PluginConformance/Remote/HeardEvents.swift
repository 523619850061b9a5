internal import PluginKit
internal import SyncModel

/// What a listener hears, one event after the other.
struct HeardEvents {
    private var batches: AsyncThrowingStream<[RemoteEvent], any Error>.Iterator
    private var rest: ArraySlice<RemoteEvent> = []

    fileprivate init(_ batches: AsyncThrowingStream<[RemoteEvent], any Error>) {
        self.batches = batches.makeAsyncIterator()
    }

    /// The next event; what the listener threw is thrown here.
    mutating func next() async throws -> RemoteEvent {
        while rest.isEmpty {
            guard let batch = try await batches.next() else {
                throw RemoteError(.streamEnded, "the listener has returned, which it never does")
            }
            rest = batch.flatMap(\.parts)[...]
        }
        return rest.removeFirst()
    }

    /// The entries of the snapshot that comes next, and whether it had its beginning, and an end with their number.
    mutating func snapshot() async throws -> (entries: [RemoteEntry], isWhole: Bool) {
        guard case .snapshotBegan = try await next() else { return ([], false) }
        var entries: [RemoteEntry] = []
        while true {
            switch try await next() {
            case .snapshotEntry(let entry): entries.append(entry)
            case .snapshotEnded(let count): return (entries, count == entries.count)
            case .snapshotBegan, .changed, .echoed, .touched, .replaced: return (entries, false)
            }
        }
    }

    /// The next change; of what this remote wrote itself, too.
    mutating func change() async throws -> RemoteEntry? {
        switch try await next() {
        case .changed(let entry): entry
        case .echoed(let elements, let time):
            elements.first?.write.map { RemoteEntry(key: $0.key, value: RemoteValue($0), serverTime: time) }
        case .snapshotBegan, .snapshotEntry, .snapshotEnded, .touched, .replaced: nil
        }
    }
}

extension RemoteEvent {
    /// The same, one key in each.
    fileprivate var parts: [RemoteEvent] {
        guard case .echoed(let elements, let time) = self else { return [self] }
        return elements.map { .echoed([$0], serverTime: time) }
    }
}

extension RemoteCheck {
    /// Runs `body` while the remote is listened to; the listener is cancelled then.
    mutating func withListener(
        to keyspace: Keyspace? = nil, after cursor: UInt64? = nil,
        _ body: (inout RemoteCheck, inout HeardEvents) async throws -> Void
    ) async throws {
        let (batches, continuation) = AsyncThrowingStream<[RemoteEvent], any Error>.makeStream()
        let (remote, keyspace) = (remote, keyspace ?? records)
        var check = self
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
            var events = HeardEvents(batches)
            try await body(&check, &events)
        }
        self = check
    }
}
