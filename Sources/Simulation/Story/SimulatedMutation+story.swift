extension SimulatedMutation {
    /// A story in which the wrong rule shows; nil where stories at random show it.
    var story: [SimulatedStep]? {
        switch self {
        case .approvalEndsEdits:
            // Between the disappearance and the approval of it the films are edited.
            tell(
                library + [(3000, .app(0, record: 0, .rootPut)), (1000, .calm)] + library
                    + [(1000, .decide(node: 0, approve: true))])
        case .rejectionSkipsLines:
            // While a person is asked about the journal, more is appended to it.
            tell(
                library + [(3000, .journal(node: 0, .journalRewritten))] + library
                    + [(1000, .decide(node: 0, approve: false))])
        case .unreadableLooksAbsent:
            // A node that was away makes the film that nobody can read any more.
            tell([
                (100, .stop(node: 2, milliseconds: 20_000)), (200, .edit(node: 0, record: 0, choice: 20, age: nil)),
                (2000, .app(0, record: 0, .refresh)), (500, .app(0, record: 0, .unreadable)),
                (25_000, .edit(node: 2, record: 0, choice: 20, age: nil)),
            ])
        case .setAsideForgotten:
            // A node is started again that knows that nobody can read a film any more.
            tell([
                (200, .edit(node: 0, record: 0, choice: 20, age: nil)), (2000, .app(0, record: 0, .refresh)),
                (500, .app(0, record: 0, .spoil)), (20_000, .stop(node: 1, milliseconds: 3_000)),
            ])
        case .windowByWallClock:
            // Three deletes, and three more after more than a minute, in which the clock is set back.
            tell(
                library + deletes(0..<3) + [(64_000, .clock(node: 0, skew: -45_000)), (1000, .calm)] + deletes(3..<6))
        case .setsByLastWrite:
            // Two people add a member to one set at the same time, and the first of them removes one.
            tell(
                library + [
                    (3000, .edit(node: 0, record: 4, choice: 19, age: nil)),
                    (5, .edit(node: 1, record: 4, choice: 19, age: nil)),
                ])
        case .absenceForgotten:
            // A node that has the film is away for so long that the tombstone of it ends meanwhile.
            tell(
                library + [
                    (3000, .stop(node: 2, milliseconds: 1_800_000)),
                    (1000, .edit(node: 0, record: 0, choice: 3, age: nil)), (1_800_000, .calm),
                ])
        case .olderStampDropped:
            // An app writes all that it once read, stamps included, over a later edit.
            tell(
                library + [
                    (3000, .app(0, record: 0, .refresh)), (1000, .edit(node: 0, record: 0, choice: 20, age: nil)),
                    (3000, .app(0, record: 0, .editWithStamps)),
                ])
        default: nil
        }
    }

    private typealias Moment = (wait: UInt64, act: SimulatedStep.Act)

    /// Every film is created on the first node, or changed where it is there.
    private var library: [Moment] {
        (0..<SimulatedRecords.count).map { (200, .edit(node: 0, record: $0, choice: 20, age: nil)) }
    }

    private func deletes(_ records: Range<Int>) -> [Moment] {
        records.map { (100, .edit(node: 0, record: $0, choice: 3, age: nil)) }
    }

    private func tell(_ moments: [Moment]) -> [SimulatedStep] {
        moments.enumerated().map { SimulatedStep(number: $0.offset + 1, wait: $0.element.wait, act: $0.element.act) }
    }
}
