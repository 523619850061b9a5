import TestSupport

@testable import JournalTail

/// A suite about a journal in a folder of its own.
protocol FollowedJournal {
    var folder: TemporaryFolder { get }
}

extension FollowedJournal {
    var journal: String { folder("journal.jsonl") }

    func follower(after position: JournalPosition? = nil) -> JournalFollower {
        JournalFollower(path: journal, resumingAt: .init(position), pace: CheckPace())
    }
}
