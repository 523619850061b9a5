/// What is known when a position and the files there have to be brought together, and what follows from it.
///
/// The rules of identity in one place: pure, so that every row of them can be tested.
struct JournalSituation: Hashable, Sendable {
    enum AtPath: Hashable, Sendable {
        case nothing
        /// The very file of the position; `isShorter` than what was consumed, or not.
        case same(ConsumedMatch, isShorter: Bool)
        case other(ConsumedMatch)
    }

    enum Verdict: Hashable, Sendable {
        /// Goes on in the file at the path, at the position.
        case resume
        /// Reads the other file, the renamed one or the copy, from the position to its end first.
        case finishRenamed
        case finishCopy
        /// Reads the file at the path from its start.
        case begin(JournalRotation.Kind)
        /// Reads the renamed file from its start.
        case beginRenamed
        case ask(reason: String)
        case askAboutRenamed(reason: String)
        case wait
    }

    var atPath: AtPath
    /// The position's own file is in the folder under another name, its consumed part unchanged.
    var isRenamed = false
    /// The position's own file is in the folder under another name, and was emptied and filled anew before that.
    var isRenamedAnew = false
    /// The position's own file is in the folder under another name, its consumed part changed.
    var isRenamedRewritten = false
    /// Another file in the folder holds what was consumed.
    var isCopied = false
    /// Nothing is at the path, and a file beside it was begun after the position's: it came and went unseen.
    var isSucceeded = false

    var verdict: Verdict {
        switch atPath {
        case .nothing:
            if isRenamed { return .finishRenamed }
            if isCopied { return .finishCopy }
            if isRenamedRewritten { return JournalSituation.askAboutRenamed }
            if isRenamedAnew { return .beginRenamed }
            return isSucceeded ? .begin(.replaced) : .wait
        case .same(.continues, _):
            return .resume
        case .same(let match, let isShorter):
            if isCopied { return .finishCopy }
            if isShorter, match == .differs { return .begin(.truncated) }
            // A file that was cut but begins as before may have been cut anywhere: what remains can't be proven old.
            return .ask(
                reason: isShorter
                    ? "the end of what was already read is gone" : "what was already read is different now")
        case .other(let match):
            if isRenamed { return .finishRenamed }
            if match == .continues { return .resume }
            if isCopied { return .finishCopy }
            if isRenamedRewritten { return JournalSituation.askAboutRenamed }
            if isRenamedAnew { return .beginRenamed }
            guard match == .beginsAlike else { return .begin(.replaced) }
            return .ask(
                reason: "another file has its place, which begins alike and then differs from what was already read")
        }
    }

    private static let askAboutRenamed = Verdict.askAboutRenamed(
        reason: "the journal has another name now, and what was already read of it is different")
}
