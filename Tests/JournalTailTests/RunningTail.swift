import JournalTail
import OperatingSystem
import SyncModel
import Synchronization
import TestSupport
import Testing

/// A tail that runs in the background, with all it said so far.
final class RunningTail: Sendable {
    struct Seen: Sendable {
        var lines: [String] = []
        var backlog: [String] = []
        var words: [String] = []
        var rejected: [(code: String, offset: UInt64, length: Int)] = []
        var position: JournalPosition?
        /// What stood in the file when a person was asked.
        var present: JournalPosition?
        var caughtUp: (size: UInt64, offset: UInt64)?
    }

    let tail: JournalTail
    private let record = Record()
    private let task: Task<Void, any Error>

    convenience init(_ path: String, resumingAt position: JournalPosition? = nil) {
        self.init(path, from: .init(position))
    }

    init(_ path: String, from start: JournalTail.Start) {
        var pace = CheckPace()
        pace.least = .milliseconds(1)
        pace.average = .max
        pace.pause = .milliseconds(1)
        let tail = JournalTail(path: path, from: start, pace: pace)
        let record = record
        record.note { $0.position = start.position }
        self.tail = tail
        task = Task {
            do {
                try await tail.run { event in record.note { $0.add(event) } }
            } catch {
                record.note { $0.words.append("failed: \(error)") }
                throw error
            }
        }
    }

    deinit { task.cancel() }

    private final class Record: Sendable {
        let seen = Mutex(Seen())
        let bell = Bell()

        func note(_ change: (inout Seen) -> Void) {
            seen.withLock { change(&$0) }
            bell.ring()
        }
    }

    var now: Seen { record.seen.withLock { $0 } }

    /// Returns as soon as `condition` holds; throws with what was seen where it does not within 20 s.
    func wait(_ what: String, until condition: @escaping @Sendable (Seen) -> Bool) async throws {
        let saw = { @Sendable in
            "saw \(self.now.lines.suffix(20).map { $0.prefix(12) }), \(self.now.words.suffix(20))"
        }
        try await until(what, within: .seconds(20), hearing: [record.bell], detail: saw) {
            condition(self.now) ? () : nil
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
        case .begun(let start): position = start
        case .batch(let batch): add(batch)
        case .caughtUp(let size, let offset):
            caughtUp = (size, offset)
            words.append("caughtUp")
        case .rotated(let rotation):
            words.append("rotated.\(rotation.kind.rawValue)")
            position = rotation.position
        case .rewritten(_, let present):
            self.present = present
            words.append("rewritten")
        case .abandoned: words.append("abandoned")
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
