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
    /// - Throws: ``ControlError`` where nothing was appended, or what was appended can't be applied.
    func append(_ edits: [EditLine], _ done: String) async throws -> String {
        guard !edits.isEmpty else { return done }
        var lines: [[UInt8]] = []
        for edit in edits {
            do throws(Defect) {
                lines.append(try edit.text(at: now))
            } catch {
                throw ControlError.badRequest("badEdit", error.message)
            }
        }
        try await write(Array(lines.joined(separator: [UInt8(ascii: "\n")])))
        // What was appended together is read together: the last line stands for all.
        guard let last = edits.last else { return done }
        let reply = try await service.edit(
            last.opID, of: last.id, in: last.collection, timeout: Editor.patience, onlyRead: false)
        return try words(reply, done)
    }

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
