package import SyncModel

/// What has become of one line of the journal.
package enum EditFate: Hashable, Sendable {
    /// It has not been read yet; with the number of the hold that keeps the journal from being read.
    case unread(heldBy: Int64?)
    /// This item of the quarantine is the line.
    case quarantined(item: Int64)
    /// The same; it is tried again when all of the remote has been read, which may have its record.
    case early(item: Int64)
    /// The line waits in this hold, or what it made does.
    case held(by: Int64)
    /// The remote refuses what the line made; with the item of the quarantine, unless that was dropped.
    case refused(item: Int64?)
    /// It waited in the quarantine or in a hold, or the remote refused what it made, and it was dropped there.
    case dropped
    /// It was applied, and the remote does not have it yet.
    case pending
    /// The same, and it goes nowhere before a person resumes what is paused, or enables its collection.
    case paused
    /// The remote has it, or something later.
    case confirmed
    /// The same, unless it was in a version that the remote refused and a person gave up: this entry of the ledger.
    case confirmedOrGivenUp(conflict: Int64)

    /// An entry of the ledger with a version of a record that the remote refused and a person gave up.
    package struct GivenUp: Hashable, Sendable {
        package let number: Int64
        /// What stood there before that version.
        package let winner: Version

        package init(number: Int64, winner: Version) { (self.number, self.winner) = (number, winner) }
    }

    /// What the state knows of a line and of its record.
    package struct Evidence: Hashable, Sendable {
        /// Whether the line was read and applied.
        package var isTaken: Bool
        /// Whether it has waited, in the quarantine or in a hold.
        package var hasWaited = false
        /// Whether its record waits to be pushed.
        package var pending: Pending
        /// The item of the quarantine that the line is.
        package var item: Int64?
        /// Whether it is there because its record is not known.
        package var lacksRecord = false
        /// Whether all that the remote has of its collection has been read.
        package var hasReadAll = true
        /// The hold in which the line waits.
        package var hold: Int64?
        /// The hold that keeps the record from being pushed.
        package var recordHold: Int64?
        /// The hold that keeps all records of the collection from it.
        package var collectionHold: Int64?
        /// The refusal of the remote that keeps it from that.
        package var refusal: Int64?
        /// The hold that stops the journal.
        package var journalHold: Int64?
        /// Whether a person has paused, or disabled, what would bring it to the remote.
        package var isPaused = false
        package var givenUp: GivenUp?
        /// The version that the node has of the record.
        package var version: Version?

        package init(isTaken: Bool, pending: Pending) {
            self.isTaken = isTaken
            self.pending = pending
        }

        /// Whether nothing was there before the version that was given up, and nothing since.
        fileprivate var isAllGivenUp: Bool {
            givenUp.map { $0.winner.deleted && (version == nil || version == $0.winner) } ?? false
        }
    }

    package init(_ evidence: Evidence) {
        // A corrected line may have taken the place of the one that waits.
        let isReplaced = evidence.isTaken && evidence.hasWaited
        if !isReplaced, let item = evidence.item {
            self = evidence.lacksRecord && !evidence.hasReadAll ? .early(item: item) : .quarantined(item: item)
        } else if !isReplaced, let hold = evidence.hold {
            self = .held(by: hold)
        } else if !evidence.isTaken {
            self = evidence.hasWaited ? .dropped : .unread(heldBy: evidence.journalHold)
        } else if evidence.isAllGivenUp {
            self = .dropped
        } else {
            self =
                switch evidence.pending {
                case .no: evidence.givenUp.map { .confirmedOrGivenUp(conflict: $0.number) } ?? .confirmed
                case .yes: evidence.collectionHold.map { .held(by: $0) } ?? (evidence.isPaused ? .paused : .pending)
                case .blocked: evidence.recordHold.map { .held(by: $0) } ?? .refused(item: evidence.refusal)
                }
        }
    }

    /// Whether waiting changes nothing: the remote has it, or a person has to do something.
    package var isFinal: Bool {
        switch self {
        case .unread(let hold): hold != nil
        case .pending, .early: false
        case .quarantined, .held, .dropped, .refused, .paused, .confirmed, .confirmedOrGivenUp: true
        }
    }
}
