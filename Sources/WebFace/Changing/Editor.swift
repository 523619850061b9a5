internal import ControlAPI
internal import Dispatch
internal import OperatingSystem
internal import SyncModel

/// Changes records: appends lines to the journal, as the tool does, and says what has become of them.
struct Editor: Sendable {
    let service: any ControlService
    let wall: @Sendable () -> UInt64

    /// How long an edit is followed before the page goes on.
    private static let patience = Duration.seconds(1)

    var now: Moment { Moment(milliseconds: wall()) }

    /// Appends edits with one write, and waits a moment for what becomes of them.
    ///
    /// - Parameter done: what is said where all is well, such as `Alien is watched`.
    /// - Returns: words for people.
    /// - Throws: ``ControlError`` where nothing was appended, or nothing of what was appended can be applied.
    func append(_ edits: [EditLine], _ done: String) async throws -> String {
        try await append(edits) { _ in done }
    }

    /// The same, where what is said where all is well depends on how many edits it is true of.
    func append(_ edits: [EditLine], _ done: (Int) -> String) async throws -> String {
        guard !edits.isEmpty else { return done(0) }
        var lines: [[UInt8]] = []
        for edit in edits {
            do throws(Defect) {
                lines.append(try edit.text(at: now))
            } catch {
                throw ControlError.badRequest("badEdit", error.message)
            }
        }
        try await write(Array(lines.joined(separator: [UInt8(ascii: "\n")])))
        return try words(try await fates(of: edits), done)
    }

    /// What has become of each, all of them within ``patience``.
    private func fates(of edits: [EditLine]) async throws -> [EditReply] {
        let deadline = ContinuousClock.now + Editor.patience
        var (fates, left): ([EditReply], Duration) = ([], Editor.patience)
        for edit in edits {
            fates.append(
                try await service.edit(edit.opID, of: edit.id, in: edit.collection, timeout: left, onlyRead: false))
            left = max(.zero, ContinuousClock.now.duration(to: deadline))
        }
        return fates
    }

    /// What is said of all edits together: how those are that can be applied, and how many are otherwise.
    private func words(_ fates: [EditReply], _ done: (Int) -> String) throws -> String {
        let applied = fates.filter { [.confirmed, .pending, .unread].contains($0.state) }
        let slowest = applied.first { $0.state != .confirmed } ?? applied.first
        guard let lead = slowest ?? fates.first(where: { $0.state == .held }) ?? fates.first else { return done(0) }
        var said: String
        do {
            said = try words(lead, done(applied.count))
        } catch let error as ControlError where fates.count > 1 {
            throw ControlError(error.status, error.code, "none of \(fates.count) edits is applied; \(error.message)")
        }
        for (state, one, many) in Editor.exceptions where state != lead.state {
            let those = fates.filter { $0.state == state }
            guard let first = those.first else { continue }
            said += " \(those.count) \(those.count == 1 ? one : many)\(first.reason.map { ": \($0)" } ?? "")."
        }
        return said
    }

    /// What is said of one, and of several, that are not applied as others are.
    private static let exceptions: [(EditReply.State, String, String)] = [
        (.held, "waits for a decision, see Attention", "wait for a decision, see Attention"),
        (.quarantined, "is in quarantine", "are in quarantine"), (.dropped, "was dropped", "were dropped"),
        (.refused, "is not taken by the remote", "are not taken by the remote"),
    ]

    private func words(_ reply: EditReply, _ done: String) throws -> String {
        let reason = reply.reason.map { ": \($0)" } ?? ""
        switch reply.state {
        case .confirmed: return "\(done)."
        case .pending: return "\(done). The remote does not have it yet\(reason)."
        case .unread: return "\(done), as soon as the journal is read\(reason)."
        case .held: return "This waits for a decision, see Attention\(reason)."
        case .quarantined: throw ControlError(422, "quarantined", "the edit can't be applied\(reason)")
        case .dropped: throw ControlError(422, "dropped", "the edit was dropped\(reason)")
        case .refused: throw ControlError(422, "refused", "the remote does not take it\(reason)")
        }
    }

    /// On a thread of its own, for a disk may hang.
    private func write(_ lines: [UInt8]) async throws {
        let path = service.status().journal.path
        let result: Result<Void, SystemError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(SystemError) in try AppendingFile.append(line: lines, to: path) })
            }
        }
        do {
            try result.get()
        } catch {
            throw ControlError(500, "inputOutput", "the edit can't be written: \(error)")
        }
    }
}
