internal import OperatingSystem

/// When what was consumed of an open file is read again, to find out whether somebody changed it.
///
/// A change leaves its mark on the file's times, and so does an append: after either, all that was consumed is read
/// again once. Right away where the file changed without growing, and when reading begins in the middle of it; after
/// an append only so often that, on average, ``CheckPace/average`` is not exceeded.
struct Recheck: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A clock of the file system may stand still for this long, in nanoseconds: changes within it look like one.
    private static let tick: UInt64 = 100_000_000

    private let pace: CheckPace
    private var running: ConsumedCheck?
    /// When the file last changed, as it was when the check that runs began; nil where that is too recent to tell the
    /// change from a later one.
    private var began: UInt64?
    /// The same for the last check that found everything as it was.
    private var proven: UInt64?
    private var seen: FileIdentity
    private let startsAtOnce: Bool
    /// When the next step is to be made.
    private var due: Instant?
    /// The file has changed without growing.
    private var isSuspicious = false
    private var suspicionDue: Instant?
    private var isLast = false
    private var isDone = false

    /// - Parameter isResumed: part of the file was consumed before this run, and may have changed since.
    init(_ file: FileIdentity, isResumed: Bool, pace: CheckPace) {
        seen = file
        startsAtOnce = isResumed
        self.pace = pace
    }

    /// Notes what the file is now.
    ///
    /// Who looks in the middle of an append sees the new time with the old size: growth soon after takes the suspicion
    /// away.
    mutating func note(_ file: FileIdentity) {
        if file.changedNanoseconds != seen.changedNanoseconds {
            isSuspicious = file.size <= seen.size
            suspicionDue = nil
            isLast = false
            isDone = false
        } else if file.size > seen.size {
            isSuspicious = false
        }
        seen = file
    }

    /// Asks for one more check, from now on and without pauses: the file will not be read any more.
    ///
    /// True when it has been made.
    mutating func finish() -> Bool {
        if !isLast {
            isLast = true
            running = nil
        }
        return isDone
    }

    /// How long nothing is to be done, if nothing happens to the file; nil for ever.
    mutating func delay(consumed: UInt64, now: Instant) -> Duration? {
        guard consumed > 0 else {
            isDone = isLast
            return nil
        }
        if isLast { return isDone ? nil : .zero }
        guard running != nil || proven != seen.changedNanoseconds else { return nil }
        var next = due ?? (startsAtOnce ? now : now + interval(consumed))
        due = next
        if isSuspicious, running == nil {
            let soon = suspicionDue ?? now + pace.pause
            suspicionDue = soon
            next = min(next, soon)
        }
        return max(.zero, now.duration(to: next))
    }

    /// Goes on with the check, or begins one. The outcome once, when it is complete.
    mutating func step(
        in file: ReadableFile, expecting digest: @autoclosure () -> BlockDigest, now: Instant, wall: UInt64
    ) throws(SystemError) -> ConsumedCheck.Outcome? {
        var check: ConsumedCheck
        if let running {
            check = running
        } else {
            seen = try file.identity()
            let age = wall > seen.changedNanoseconds ? wall - seen.changedNanoseconds : Recheck.tick
            began = age < Recheck.tick ? nil : seen.changedNanoseconds
            isSuspicious = false
            check = ConsumedCheck(expecting: digest())
        }
        guard let outcome = try check.step(in: file) else {
            running = check
            due = now + pace.pause
            return nil
        }
        running = nil
        proven = began
        isDone = isLast
        due = now + interval(digest().length)
        return outcome
    }

    /// Gives up the check that runs; another one is made later.
    mutating func abandon(now: Instant) {
        running = nil
        isDone = isLast
        due = now + pace.least
    }

    private func interval(_ length: UInt64) -> Duration {
        max(pace.least, .milliseconds(length * 1000 / max(1, pace.average)))
    }
}
