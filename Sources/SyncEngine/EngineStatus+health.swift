internal import ControlAPI
internal import SyncCore
internal import SyncModel

/// What of the facts is wrong, in words; pure, so that every trouble can be tried.
extension EngineStatus.Facts {
    /// A request, or a stream, that did not succeed, and why.
    struct Failure: Hashable, Sendable {
        var code: String
        /// What the remote, or the way there, says.
        var message: String

        init(_ error: RemoteError) {
            code = error.code.word
            message = error.message
        }

        /// For people: what kind of trouble it is, before its details.
        var words: String {
            switch code {
            case RemoteError.Code.unreachable.word: "the remote can't be reached: \(message)"
            case RemoteError.Code.unavailable.word: "the remote is busy, or down: \(message)"
            case RemoteError.Code.unauthorized.word: "the remote does not accept the credential: \(message)"
            case RemoteError.Code.denied.word: "the remote's rules, or the credential, do not allow it: \(message)"
            case RemoteError.Code.stopped.word:
                "the database is gone, disabled, out of quota, or forbids everything: \(message)"
            case RemoteError.Code.streamEnded.word: "the remote's event stream has ended: \(message)"
            case RemoteError.Code.outcomeUnknown.word: "the remote failed, or did not answer in time: \(message)"
            default: "the remote fails (\(code)): \(message)"
            }
        }
    }

    /// The state of the streams as one word: the worst.
    var stream: RemoteStatus.Stream {
        for state in [RemoteStatus.Stream.down, .connecting, .snapshot] where streams.values.contains(state) {
            return state
        }
        return streams.isEmpty ? .connecting : .live
    }

    var state: StatusSnapshot.State {
        if stopping { return .stopping }
        if !journalWatched { return .starting }
        if !standstill.isEmpty || !misplaced.isEmpty || trouble != nil { return .degraded }
        if !paused.isEmpty { return .paused }
        return journal.waitsFor != nil || !holds.isEmpty ? .degraded : .running
    }

    /// What is wrong between this node and the remote; nil where nothing is, or only what a person has paused.
    var trouble: String? {
        if let writeFailure, !paused.contains(.push) {
            return "writing fails: \(writeFailure.words)"
        }
        if let failure { return failure.words }
        return stream == .down && !paused.contains(.pull) ? "the remote's event stream is down" : nil
    }

    /// What is wrong, the worst first.
    ///
    /// - Parameter now: milliseconds since 1970.
    func health(now: Int64) -> HealthReport {
        let critical = failures
        let warning = warnings(now: now)
        return HealthReport(
            level: critical.isEmpty ? warning.isEmpty ? .ok : .warning : .critical, reasons: critical + warning)
    }

    /// Why nothing can be noted, or nothing more of the journal is read.
    var standstill: [String] {
        var reasons: [String] = []
        if let storeError { reasons.append(ControlError.stateFailed(storeError).message) }
        if stateHangs { reasons.append("the disk of the state does not answer") }
        // What keeps it from being read may be told already.
        if let error = journal.lastError, !reasons.contains(error) {
            reasons.append("the journal can't be read: \(error)")
        }
        return reasons
    }

    /// In milliseconds.
    private static let longestStart: Int64 = 10_000

    private var failures: [String] {
        standstill + misplaced + holds.map { "hold \($0.number) (\($0.word)): \($0.reason): see moviesync holds" }
    }

    private func warnings(now: Int64) -> [String] {
        var reasons: [String] = []
        if !journalWatched, !stopping, now - Int64(clamping: started) > Self.longestStart {
            let span = Span(milliseconds: UInt64(clamping: now - Int64(clamping: started)))
            reasons.append("the daemon has been starting for \(span), and reads nothing of the journal yet")
        }
        if let reason = journal.waitsFor { reasons.append("the journal waits: \(reason)") }
        if let feedError {
            reasons.append("the change feed can't be written, and changes are kept until it can: \(feedError)")
        }
        if let trouble {
            let wait = retryAt.map { Int64(clamping: $0) - now }.flatMap { $0 > 0 ? UInt64($0) : nil }
            let next = wait.map { "; next attempt in \(Span(milliseconds: $0 + 999))" } ?? ""
            reasons.append(trouble + next)
        }
        for direction in paused.map(\.rawValue).sorted() {
            reasons.append("\(direction) is paused: see moviesync resume \(direction)")
        }
        return reasons + waitingPeople + backlog(now: now) + differences + peopleTrouble.words
    }

    /// Whose edits wait, and why.
    var waitingPeople: [String] {
        restingPeople.sorted { $0.key < $1.key }.flatMap { collection, people in
            people.sorted { $0.key < $1.key }.map { person, reason in
                "what \(person) has written in \(collection) waits: \(reason)"
            }
        }
    }

    private func backlog(now: Int64) -> [String] {
        var reasons: [String] = []
        for (collection, since) in oldestPending.sorted(by: { $0.key < $1.key }) {
            let pending = counts[collection]?.pending ?? 0
            if pending > 0, now - since > 60_000 {
                let span = Span(milliseconds: UInt64(now - since))
                reasons.append("\(collection): \(pending) pending, the oldest for \(span)")
            }
        }
        if quarantined > 0 { reasons.append("\(quarantined) in quarantine: see moviesync quarantine") }
        return reasons
    }

    private var differences: [String] {
        var reasons: [String] = []
        for (collection, last) in lastVerify.sorted(by: { $0.key < $1.key })
        where last.differences > 0 && !last.repaired {
            reasons.append(
                "\(collection): \(last.differences) differed from the remote at \(last.at): see moviesync verify --repair"
            )
        }
        for (collection, nodes) in declaredOtherwise.sorted(by: { $0.key < $1.key }) {
            reasons.append(
                "\(collection) is declared otherwise by \(nodes.joined(separator: ", ")): "
                    + "give all nodes the same collections.d/\(collection).json")
        }
        return reasons
    }
}

extension PersonSessions.Trouble {
    fileprivate var words: [String] {
        let unsaved = unsaved.map {
            "who has signed in or out is not kept, and forgotten when the daemon ends, until it can be: \($0)"
        }
        let unread = unread.map {
            "who had signed in is not known: \($0): correct that and start the daemon again, or have them sign in anew"
        }
        return ended + [unsaved, unread].compactMap(\.self)
    }
}
