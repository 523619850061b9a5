import JournalTail
import OperatingSystem
import SyncModel
import Synchronization
import Testing

/// A tail that runs in the background, with all it said so far.
final class RunningTail: Sendable {
    struct Seen: Sendable {
        var lines: [String] = []
        var backlog: [String] = []
        var words: [String] = []
        var rejected: [(code: String, offset: UInt64, length: Int)] = []
        var position: JournalPosition?
        var caughtUp: (size: UInt64, offset: UInt64)?
    }

    let tail: JournalTail
    private let record = Record()
    private let task: Task<Void, any Error>

    init(_ path: String, resumingAt position: JournalPosition? = nil) {
        let tail = JournalTail(path: path, resumingAt: position)
        let record = record
        record.note { $0.position = position }
        self.tail = tail
        task = Task { try await tail.run { event in record.note { $0.add(event) } } }
    }

    deinit { task.cancel() }

    private final class Record: Sendable {
        let seen = Mutex(Seen())
        let ticks: AsyncStream<Void>
        private let tick: AsyncStream<Void>.Continuation

        init() { (ticks, tick) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        func note(_ change: (inout Seen) -> Void) {
            seen.withLock { change(&$0) }
            tick.yield()
        }
    }

    var now: Seen { record.seen.withLock { $0 } }

    struct Late: Error, CustomStringConvertible {
        var description: String
    }

    /// Returns as soon as `condition` holds; throws with what was seen where it does not within 20 s.
    func wait(_ what: String, until condition: @escaping @Sendable (Seen) -> Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                if condition(self.now) { return }
                for await _ in self.record.ticks where condition(self.now) { return }
                throw CancellationError()
            }
            group.addTask {
                try await Task.sleep(for: .seconds(20))
                let seen = self.now
                throw Late(description: "waiting for \(what): saw \(seen.lines.suffix(20).map { $0.prefix(12) }), \(seen.words.suffix(20))")
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Ends the tail and returns what was committed.
    func stop() async throws -> JournalPosition? {
        task.cancel()
        try await task.value
        return now.position
    }
}

extension RunningTail.Seen {
    mutating func add(_ event: JournalEvent) {
        switch event {
        case .watching: words.append("watching")
        case .batch(let batch): add(batch)
        case .caughtUp(let size, let offset):
            caughtUp = (size, offset)
            words.append("caughtUp")
        case .rotated(let rotation):
            words.append("rotated.\(rotation.kind.rawValue)")
            position = rotation.position
        case .rewritten: words.append("rewritten")
        case .missing: words.append("missing")
        case .unreadable: words.append("unreadable")
        }
    }

    private mutating func add(_ batch: JournalBatch) {
        for element in batch.elements {
            switch element {
            case .line(let line):
                let text = String(decoding: line.bytes, as: UTF8.self)
                lines.append(text)
                if batch.isBacklog { backlog.append(text) }
            case .rejected(let defect, let offset, let length, _):
                rejected.append((defect.code.word, offset, length))
            }
        }
        position = batch.position
    }
}
