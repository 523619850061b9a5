/// One rule of a run's shell or network turned wrong: what shows that the checks would notice.
///
/// The rules that ship have no switch for it: only what surrounds them in a simulation is changed.
package enum SimulatedMutation: String, CaseIterable, Hashable, Sendable {
    /// Nothing counts as being from the future: one wrong clock takes all others with it.
    case futureIsAdmitted
    /// No back-off ever waits.
    case noBackoff
    /// The database is asked for the upper-case key, whatever the key was.
    case upperCaseReads
    /// Where a commit fails, the position of the journal is stored all the same.
    case positionAheadOfEffect
    /// The first cursor is this machine's time.
    case cursorFromLocalClock
    /// An update of an unknown record leaves no trace of its stamp.
    case stampOfUnknownForgotten
    /// Now and then an event of a stream does not arrive.
    case eventsDropped
    /// A person who approves that records are gone deletes them, whatever was edited since.
    case approvalEndsEdits
    /// Who rejects that a journal was rewritten goes on at its end, whatever was appended since it was noticed.
    case rejectionSkipsLines
    /// The machine hears nothing of what a decision has changed.
    case decisionsUntold
    /// A body that can't be read looks like nothing at all.
    case unreadableLooksAbsent
    /// What is in quarantine counts as readable as soon as a new stream shows it under a stamp.
    case setAsideForgotten
    /// An entry with an older stamp than before is passed over.
    case olderStampDropped
    /// The window of deletes goes by the wall clock.
    case windowByWallClock
    /// The position is one byte behind the line.
    case positionInsideLine
    /// Of two versions the one that comes last wins.
    case mergeByArrival
    /// Of two numbers the one that comes last counts, whatever their rule is.
    case numbersByLastWrite
    /// A set is one value, of which the last one counts.
    case setsByLastWrite
    /// The clock starts from the wall clock.
    case clockForgotten
    /// A record is stored as it was before, once more.
    case countedTwice
    /// What a hold names is written all the same.
    case heldIsWritten
    /// Tombstones end at once, whoever has not applied them.
    case endsAtOnce
    /// The horizon looks as if it were where it began.
    case horizonIgnored
    /// A node does not notice for how long it was away.
    case absenceForgotten
    /// The database is asked now and then whether there is anything.
    case polling
}
