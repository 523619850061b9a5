package import ControlAPI
package import SyncModel
internal import Synchronization
package import TestSupport

/// A daemon made of values: it answers what it was given, and notes what it was asked to do.
package final class FakeControlService: ControlService {
    /// All that the fake knows.
    package struct State: Sendable {
        package var status = FakeControlService.sampleStatus
        package var health = HealthReport(level: .ok)
        package var schemas = [FakeControlService.movies, FakeControlService.artists]
        package var records: [RecordReply] = []
        /// What has become of edits, by the record's id; the others are confirmed.
        package var fates: [String: EditReply] = [:]
        package var holds: [HoldReply] = []
        package var quarantine: [QuarantineReply] = []
        /// Items that are still wrong when they are tried again.
        package var stillWrong: Set<Int64> = []
        package var conflicts: [ConflictReply] = []
        package var nodes: [NodeReply] = []
        package var changes: [ChangeReply] = []
        /// That of every record.
        package var history = FakeControlService.history
        package var sync = SyncReply(done: true, pending: 0)
        /// Whether waiting for a record goes on until it is cancelled.
        package var neverAnswers = false
        package var failure: ControlError?

        package init() {}

        fileprivate mutating func retry(_ ids: [Int64]) {
            quarantine.removeAll { ids.contains($0.id) && !stillWrong.contains($0.id) }
        }
    }

    private let state: Mutex<State>
    private let listeners = Mutex<[AsyncStream<ChangeReply>.Continuation]>([])
    private let asked: AsyncStream<String>.Continuation
    /// One word for each thing the fake was asked to do, in order.
    package let calls: AsyncStream<String>
    /// Rings each time the status is asked for.
    package let looks = Bell()

    package init(_ state: State = State()) {
        self.state = Mutex(state)
        (calls, asked) = AsyncStream.makeStream()
    }

    /// Changes what the fake knows.
    package func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Sends a change to all who listen.
    package func publish(_ change: ChangeReply) {
        listeners.withLock { for listener in $0 { listener.yield(change) } }
    }

    /// Ends all event streams, as a daemon does whose listener is too slow.
    package func endStreams() {
        listeners.withLock { for listener in $0 { listener.finish() } }
    }

    private func note(_ call: String) throws {
        asked.yield(call)
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    package func status() -> StatusSnapshot {
        looks.ring()
        return state.withLock { $0.status }
    }
    package func health() -> HealthReport { state.withLock { $0.health } }

    package func schemas() -> [CollectionSchema] { state.withLock { $0.schemas } }

    package func records(
        in collection: String, after: String?, limit: Int, filter: RecordFilter
    ) async throws -> RecordPage {
        try note("records \(collection) after \(after ?? "-") limit \(limit) where \(filter)")
        guard schemas().contains(where: { $0.name == collection }) else {
            throw ControlError.unknownCollection(collection)
        }
        let all = state.withLock { $0.records }.filter { $0.collection == collection && filter.matches($0.fields) }
        let rest = all.sorted { $0.id < $1.id }.filter { $0.id > after ?? "" }
        let page = rest.prefix(limit).map { ListedRecord($0) }
        return RecordPage(items: page, next: rest.count > limit ? rest[limit - 1].id : nil)
    }

    package func record(_ id: String, in collection: String) async throws -> RecordReply {
        try note("record \(collection)/\(id)")
        let found = state.withLock { $0.records }.filter { $0.collection == collection && $0.id.hasPrefix(id) }
        guard let record = found.first else { throw ControlError.unknownRecord(id, in: collection) }
        guard found.count == 1 else { throw ControlError.ambiguousRecord(id, in: collection) }
        return record
    }

    package func records(in collection: String, under key: String) async throws -> [RecordReply] {
        try note("records \(collection) under \(key)")
        return state.withLock { $0.records }.filter { $0.collection == collection && $0.isSaid(under: key) }
    }

    package func record(withKey key: String, in collection: String) async throws -> RecordReply {
        try note("record \(collection) with key \(key)")
        let found = state.withLock { $0.records }.first { $0.collection == collection && $0.isSaid(under: key) }
        guard let found else { throw ControlError.unknownRecord(key, in: collection) }
        return found
    }

    package func waitForRecord(_ id: String, in collection: String, timeout: Duration) async throws -> RecordReply {
        try note("wait \(collection)/\(id) \(timeout)")
        guard state.withLock({ $0.neverAnswers }) else { return try await record(id, in: collection) }
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        continuation.finish()
        try note("gave up waiting")
        throw CancellationError()
    }

    package func edit(
        _ opID: String, of id: String, in collection: String, timeout: Duration, onlyRead: Bool
    ) async throws -> EditReply {
        if !onlyRead { try note("edit \(collection)/\(id) \(timeout)") }
        var reply = EditReply(collection: collection, id: id, opID: opID, state: .confirmed)
        if let fate = state.withLock({ $0.fates[id] }) {
            (reply.state, reply.reason, reply.hold, reply.item) = (fate.state, fate.reason, fate.hold, fate.item)
        }
        return reply
    }

    package func why(_ id: String, in collection: String) async throws -> WhyReply {
        let record = try await record(id, in: collection)
        return WhyReply(
            record: record,
            fields: [
                .init(
                    name: "title", value: record.fields["title"], stamp: record.stamp, who: "this node",
                    at: FakeControlService.moment, onRemote: false, remote: "Old")
            ], conflicts: state.withLock { $0.conflicts }.filter { $0.record == record.id })
    }

    package func history(
        of id: String, in collection: String, after: String?, limit: Int
    ) async throws -> HistoryReply {
        try note("history \(collection)/\(id) after \(after ?? "-") limit \(limit)")
        return try state.withLock { state throws(ControlError) in
            guard state.records.contains(where: { $0.collection == collection && $0.id.hasPrefix(id) }) else {
                throw ControlError.unknownRecord(id, in: collection)
            }
            return state.history
        }
    }

    package func changes(after: Int64?, limit: Int) async throws -> Page<ChangeReply> {
        let changes = state.withLock { $0.changes }
        let kept = (changes.first?.seq ?? 1) - 1
        let after = after ?? kept
        if after < kept { throw ControlError.gone(after: after, kept: kept) }
        let rest = changes.filter { $0.seq > after }
        return Page(items: Array(rest.prefix(limit)), next: rest.count > limit ? String(rest[limit - 1].seq) : nil)
    }

    package func liveChanges(after: Int64?) async throws -> AsyncStream<ChangeReply> {
        let (stream, continuation) = AsyncStream<ChangeReply>.makeStream()
        for change in try await changes(after: after, limit: .max).items { continuation.yield(change) }
        listeners.withLock { $0.append(continuation) }
        continuation.onTermination = { [asked] _ in asked.yield("listener gone") }
        try note("listening after \(after ?? 0)")
        return stream
    }

    package func holds() async throws -> [HoldReply] { state.withLock { $0.holds } }

    package func quarantine(after: String?, limit: Int) async throws -> Page<QuarantineReply> {
        let rest = state.withLock { $0.quarantine }.filter { $0.id > after.flatMap { Int64($0) } ?? 0 }
        let items = Array(rest.prefix(limit))
        return Page(items: items, next: rest.count > limit ? items.last.map { String($0.id) } : nil)
    }

    package func quarantined(_ id: Int64) async throws -> QuarantineDetailReply {
        try note("quarantined \(id)")
        guard let item = state.withLock({ $0.quarantine }).first(where: { $0.id == id }) else {
            throw ControlError.unknownQuarantined(id)
        }
        return QuarantineDetailReply(item: item, line: "{\"op\":\"craete\"}", isWhole: item.code != "lineTooLong")
    }

    package func conflicts(after: String?, limit: Int) async throws -> Page<ConflictReply> {
        Page(items: state.withLock { $0.conflicts })
    }

    package func checks() async -> [RemoteCheckReply] {
        [RemoteCheckReply(RemoteCheck("rules", .warning, "no rules", fix: "deploy them"))]
    }

    package func nodes() async throws -> [NodeReply] {
        try note("nodes")
        return state.withLock { $0.nodes }
    }

    package func approve(hold id: Int64, dryRun: Bool) async throws -> DecisionReply {
        try note("approve \(id)\(dryRun ? " dry" : "")")
        return FakeControlService.decision(dryRun: dryRun)
    }

    package func reject(hold id: Int64, dryRun: Bool) async throws -> DecisionReply {
        try note("reject \(id)\(dryRun ? " dry" : "")")
        return FakeControlService.decision(dryRun: dryRun)
    }

    package func retryQuarantined(_ id: Int64) async throws {
        try note("retry \(id)")
        change { $0.retry([id]) }
    }
    package func dropQuarantined(_ id: Int64) async throws { try note("drop \(id)") }
    package func retryQuarantined(_ ids: [Int64]) async throws {
        try note("retry \(ids)")
        change { $0.retry(ids) }
    }
    package func dropQuarantined(_ ids: [Int64]) async throws { try note("drop \(ids)") }
    package func restoreConflict(_ id: Int64) async throws { try note("restore \(id)") }

    package func undo(_ order: UndoOrder) async throws -> UndoReply {
        try note("undo since \(order.since) from \(order.from ?? "-") \(order.dryRun == true ? "dry" : "")")
        var reply = UndoReply(
            dryRun: order.dryRun ?? false, since: order.since, until: order.until ?? FakeControlService.moment)
        reply.holds = order.yes == true || reply.dryRun ? [] : [7]
        return reply
    }

    package func backup() async throws -> BackupReply {
        try note("backup")
        let head = Array("SQLite format 3\0".utf8)
        let bytes = head + (head.count..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        return BackupReply(size: bytes.count) { offset, count in Array(bytes[Int(offset)...].prefix(count)) }
    }

    package func sync(wait: Duration?) async throws -> SyncReply {
        try note("sync \(wait.map { "\($0)" } ?? "now")")
        return state.withLock { $0.sync }
    }

    package func pause(_ direction: Direction?) async throws { try note("pause \(direction?.rawValue ?? "both")") }
    package func resume(_ direction: Direction?) async throws { try note("resume \(direction?.rawValue ?? "both")") }

    package func reload() async throws -> ReloadReply {
        try note("reload")
        return ReloadReply(reloaded: ["log.level"], needsRestart: ["journal"])
    }

    package func verify(repair: Bool) async throws -> VerifyReply {
        try note("verify\(repair ? " and repair" : "")")
        return VerifyReply(collections: [
            .init(
                collection: "movies", at: FakeControlService.moment, compared: 2, differences: 0, found: [:],
                repaired: repair, items: [])
        ])
    }
}

extension RecordReply {
    /// Whether it is about the film or the person that a key names; what is about no film stands under every key.
    fileprivate func isSaid(under key: String) -> Bool {
        guard let film = fields["film"]?.text else { return true }
        let parts = key.split(separator: "/").map(String.init)
        return parts.contains(film) || parts == [fields["uid"]?.text]
    }
}
