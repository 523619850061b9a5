package import SyncModel

/// What the control socket can ask of the daemon; the engine implements it, the server calls it.
///
/// Whatever can't be done is a ``ControlError``; any other error that is thrown becomes an answer with status 500.
/// Every method may be called from several requests at once, and a cancelled request cancels the call.
package protocol ControlService: Sendable {
    /// The state of the daemon, from memory: it answers while disk or network hang.
    func status() -> StatusSnapshot

    /// Whether everything is as it should be, from memory like ``status()``.
    func health() -> HealthReport

    /// What the plugins of the enabled collections say about their fields; never changes while the daemon runs.
    func schemas() -> [CollectionSchema]

    /// The records of a collection that `filter` lets through, deleted ones left out, in the order of their ids.
    ///
    /// - Parameter after: the `next` of the page before; nil for the first page.
    /// - Parameter limit: at least 1 and at most ``ControlRoute/maxLimit``.
    /// - Throws: `unknownCollection` (404), or 400 for an `after` that no page gave.
    func records(
        in collection: String, after: String?, limit: Int, filter: RecordFilter
    ) async throws -> RecordPage

    /// One record, deleted ones included.
    ///
    /// - Parameter id: a UUID in any case, or an unambiguous prefix of one.
    /// - Throws: `unknownCollection` or `unknownRecord` (404), `ambiguousRecord` (409).
    func record(_ id: String, in collection: String) async throws -> RecordReply

    /// The records whose keys are made of fields, and begin with this part, deleted ones left out.
    ///
    /// - Throws: `unknownCollection` (404).
    func records(in collection: String, under key: String) async throws -> [RecordReply]

    /// The record with a key that is made of fields, deleted ones included.
    ///
    /// - Throws: `unknownCollection` or `unknownRecord` (404).
    func record(withKey key: String, in collection: String) async throws -> RecordReply

    /// One record as soon as the remote has its newest version; as it is, `pending`, when `timeout` has passed.
    ///
    /// What the journal held when this was called is applied first: an edit that was just appended is waited for, also
    /// where the record is not known yet, or the remote has its version of before.
    /// - Throws: as ``record(_:in:)``.
    func waitForRecord(_ id: String, in collection: String, timeout: Duration) async throws -> RecordReply

    /// What has become of the line with this `opID`: as soon as the remote has it or a person has to do something, and
    /// as it is when `timeout` has passed. What the journal held when this was called is read first.
    ///
    /// - Parameters:
    ///   - id: the UUID of the line's record.
    ///   - onlyRead: whether it is enough that the line was read.
    /// - Throws: `unknownCollection` (404), `badID` (400).
    func edit(
        _ opID: String, of id: String, in collection: String, timeout: Duration, onlyRead: Bool
    ) async throws -> EditReply

    /// Why a record is as it is.
    ///
    /// - Throws: as ``record(_:in:)``.
    func why(_ id: String, in collection: String) async throws -> WhyReply

    /// What this node has seen of a record, newest first.
    ///
    /// - Parameter after: the `next` of the page before; nil for the first page.
    /// - Throws: as ``record(_:in:)``.
    func history(of id: String, in collection: String, after: String?, limit: Int) async throws -> HistoryReply

    /// The changes with a higher sequence number than `after`, in order; `next` is null at the end of the feed.
    ///
    /// - Parameter after: nil for all that are kept.
    /// - Throws: `gone` (410) where some of them are no longer kept.
    func changes(after: Int64?, limit: Int) async throws -> Page<ChangeReply>

    /// The changes with a higher sequence number than `after`, and then each new one as it takes effect.
    ///
    /// Bounded: the stream ends where its reader has fallen too far behind, and the reader asks again.
    /// - Parameter after: nil for all that are kept.
    /// - Throws: `gone` (410) where some of them are no longer kept.
    func liveChanges(after: Int64?) async throws -> AsyncStream<ChangeReply>

    /// Everything that waits for a person's decision.
    func holds() async throws -> [HoldReply]

    /// What can't be processed, oldest first.
    ///
    /// - Parameter after: the `next` of the page before; nil for the first page.
    func quarantine(after: String?, limit: Int) async throws -> Page<QuarantineReply>

    /// One quarantined item with all that is known of it, what the remote shows included. Throws `unknownQuarantined` (404).
    func quarantined(_ id: Int64) async throws -> QuarantineDetailReply

    /// The conflicts that were decided, newest first.
    ///
    /// - Parameter after: the `next` of the page before; nil for the first page.
    func conflicts(after: String?, limit: Int) async throws -> Page<ConflictReply>

    /// The nodes that share the remote, this one among them, as it has them now; by name.
    ///
    /// - Throws: `remoteFailed` (502) where they can't be read.
    func nodes() async throws -> [NodeReply]

    /// How the remote is set up for this node, asked of it now.
    func checks() async -> [RemoteCheckReply]

    /// Applies what was held. Throws `unknownHold` (404), also when called again.
    ///
    /// - Parameter dryRun: only says what would change, and changes nothing.
    func approve(hold id: Int64, dryRun: Bool) async throws -> DecisionReply

    /// Keeps what this node has, and pushes it. Throws `unknownHold` (404), also when called again.
    ///
    /// - Parameter dryRun: only says what would change, and changes nothing.
    func reject(hold id: Int64, dryRun: Bool) async throws -> DecisionReply

    /// Tries a quarantined item once more. Throws `unknownQuarantined` (404).
    func retryQuarantined(_ id: Int64) async throws

    /// Gives a quarantined item up. Throws `unknownQuarantined` (404), also when called again.
    func dropQuarantined(_ id: Int64) async throws

    /// Tries several quarantined items once more, together as far as that can be; passes over what is gone.
    func retryQuarantined(_ ids: [Int64]) async throws

    /// Gives several quarantined items up, all together; passes over what is gone.
    func dropQuarantined(_ ids: [Int64]) async throws

    /// Writes the loser of a conflict back as a new edit.
    ///
    /// - Throws: `unknownConflict` (404), `notEnabled` (409) where the record's collection is not, or `restoresNothing` (409)
    ///   where a rule of its fields keeps what is there, or the record is gone and what is known of it makes none.
    func restoreConflict(_ id: Int64) async throws

    /// Takes back what was changed in a span, as new edits.
    ///
    /// - Throws: `badFrom` (400), or `clockWrong` (409) while nothing can be stamped.
    func undo(_ order: UndoOrder) async throws -> UndoReply

    /// Copies the state while it is used; the copy is gone when nobody reads it any more.
    func backup() async throws -> BackupReply

    /// Pushes and pulls now.
    ///
    /// - Parameter wait: how long to wait until nothing is pending; nil answers at once.
    func sync(wait: Duration?) async throws -> SyncReply

    /// Stops a direction (`push` or `pull`; nil: both) until ``resume(_:)``, across restarts. Again: no effect.
    func pause(_ direction: Direction?) async throws

    /// Lets a paused direction (nil: both) go on. Without a pause: no effect.
    func resume(_ direction: Direction?) async throws

    /// Reads the configuration again and puts in force what can change while running.
    ///
    /// - Throws: `badConfiguration` (422) with all that is wrong; nothing has changed then.
    func reload() async throws -> ReloadReply

    /// Compares this node with the remote, record by record.
    ///
    /// - Parameter repair: reads what differs again, so that the ordinary rules deal with it.
    /// - Throws: `verifying` (409) while another comparison goes on, or `remoteFailed` (502).
    func verify(repair: Bool) async throws -> VerifyReply
}
