internal import DatabaseTree
internal import FirebaseWire
internal import SecurityRules
internal import Synchronization

/// That rules allow a write, as long as nothing they have looked at changes.
struct Judgement: Sendable {
    /// The recent writes that the rules have seen.
    let seen: Int
    /// Of the rules.
    let version: Int
    let trace: ReadTrace
    /// Keeps what is written meanwhile.
    var judging: Judging?
}

/// As long as this is held, what is written is kept to be held against what rules have seen.
final class Judging: Sendable {
    /// The recent writes that the rules have seen.
    let seen: Int
    private let commits: CommitQueue

    init(_ commits: CommitQueue) {
        self.commits = commits
        seen = commits.recent.withLock { $0.beginJudging() }
    }

    deinit { commits.recent.withLock { $0.endJudging() } }
}

/// What was written while rules are asked, so that what they say can be held against it.
struct RecentWrites: Sendable {
    /// More than this are not looked through.
    private static let limit = 100_000

    private var writes: [(database: String, path: WirePath)] = []
    /// Those that are being stored, as long as they may not all be kept because nobody asked rules at times. Some may not
    /// happen.
    private(set) var underway: [(write: Write, answer: CommitQueue.Answer)] = []
    /// How many were forgotten.
    private var start = 0
    private(set) var judging = 0
    /// Up to here readers see them.
    private(set) var published = 0

    /// From now on, until as many ``endJudging()``, writes are kept; and those that are on their way to the disk, which readers
    /// do not see yet.
    mutating func beginJudging() -> Int {
        judging += 1
        if judging == 1 {
            for (write, _) in underway { append(write.places, write.database) }
            underway = []
        }
        return published
    }

    mutating func endJudging() {
        judging -= 1
        if judging == 0 { forgetPublished() }
    }

    /// These are applied and stored next, as far as they may be.
    mutating func begin(_ batch: [(write: Write, answer: CommitQueue.Answer)]) {
        underway = batch
    }

    mutating func append(_ paths: some Sequence<WirePath>, _ database: String) {
        guard judging > 0 else { return }
        for path in paths { writes.append((database, path)) }
        guard writes.count > RecentWrites.limit else { return }
        start += writes.count
        writes = []
    }

    /// Readers see all of them now.
    mutating func publish() {
        underway = []
        published = start + writes.count
        if judging == 0 { forgetPublished() }
    }

    /// Those that were underway have not happened.
    mutating func giveUp() { underway = [] }

    /// What readers see that was written in `database` after so many writes; nil where that was forgotten.
    func written(since seen: Int, in database: String) -> [WirePath]? {
        guard seen >= start else { return nil }
        let since = writes[(seen - start)..<max(seen, published) - start]
        return since.compactMap { $0.database == database ? $0.path : nil }
    }

    private mutating func forgetPublished() {
        guard published > start else { return }
        writes.removeFirst(published - start)
        start = published
    }

    /// Whether nothing that `judgement` rests on has been written in `database` since.
    func confirm(_ judgement: Judgement, _ database: String) -> Bool {
        guard judgement.seen >= start else { return false }
        return !writes[(judgement.seen - start)...].contains { write in
            write.database == database && judgement.trace.isTouched(by: write.path)
        }
    }
}
