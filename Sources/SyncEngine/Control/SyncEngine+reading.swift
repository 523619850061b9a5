package import ControlAPI
internal import JSONText
internal import LocalStore
internal import OperatingSystem
internal import PluginKit
internal import SyncCore
package import SyncModel
internal import Synchronization

extension SyncEngine {
    package func status() -> StatusSnapshot {
        measureJournal()
        var status = context.status.snapshot(remote: context.remote)
        let people = sessions().map { StatusSnapshot.PersonStatus(name: $0.name ?? "", uid: $0.uid, state: $0.state) }
        status.people = people.isEmpty ? nil : people
        return status
    }

    /// Where a hold or a check stops the journal, nobody who reads on sees how much there is.
    private func measureJournal() {
        let status = context.status.current
        let journal = status.journal
        guard status.journalIsHeld || journal.waitsFor != nil, let size = try? FileIdentity.of(path: journal.path).size
        else { return }
        let end = max(journal.offset, size)
        if end != journal.size { context.status.update { $0.journal.size = end } }
    }

    package func health() -> HealthReport { context.status.health() }

    package func schemas() -> [CollectionSchema] { collections.map(\.plugin.schema) }

    func known(_ name: String) throws(ControlError) -> CollectionID {
        guard let id = CollectionID(name), collections.contains(where: { $0.id == id }) else {
            throw ControlError.unknownCollection(name)
        }
        return id
    }

    package func records(
        in collection: String, after: String?, limit: Int, filter: RecordFilter
    ) async throws -> RecordPage {
        let id = try known(collection)
        var last: RecordID?
        if let after {
            guard let record = RecordID(after) else {
                throw ControlError.badRequest("badAfter", "'\(after)' is no id that a page gave as next")
            }
            last = record
        }
        var items: [ListedRecord] = []
        while true {
            // One more than is wanted: where there is none, the page is the last.
            let (from, most) = (last, filter == .all ? min(limit + 1 - items.count, 501) : 501)
            // Each page is a look of its own: none waits for the writer, and none keeps the log from being folded in.
            let page = try await context.store.read { transaction in
                try transaction.page(of: id, after: from, limit: most).map { ($0, try transaction.blockage(of: $0)) }
            }
            for (stored, blockage) in page {
                let before = last
                last = stored.state.key.id
                guard let record = listed(stored, blockage, filter) else { continue }
                // The next page begins with this one, so that nothing is looked through twice.
                if items.count == limit { return RecordPage(items: items, next: before?.description) }
                items.append(record)
            }
            if page.count < most { return RecordPage(items: items) }
        }
    }

    package func record(_ id: String, in collection: String) async throws -> RecordReply {
        let name = try known(collection)
        let digits = id.lowercased().filter { $0 != "-" }
        guard !digits.isEmpty, digits.count <= 32, digits.allSatisfy(\.isHexDigit) else {
            throw ControlError.badRequest("badID", "'\(id)' is no UUID and no beginning of one")
        }
        var found = try await context.store.read {
            try $0.records(of: name, prefix: digits, limit: SyncEngine.mostCandidates)
        }
        if found.isEmpty {
            // It may have been appended to the journal just now.
            await journal.catchUp(timeout: .seconds(1))
            found = try await context.store.read {
                try $0.records(of: name, prefix: digits, limit: SyncEngine.mostCandidates)
            }
        }
        // A deleted record stands in the way of no other.
        let live = found.filter { $0.state.view != nil }
        if found.count > 1, live.count != 1 {
            throw ControlError.ambiguousRecord(id, in: collection, candidates: found.map(candidate))
        }
        guard let first = live.first ?? found.first, let reply = try await reply(first) else {
            let concern = try await context.store.read { transaction in
                try RecordID(id).flatMap { try transaction.concern(of: transaction.record(RecordKey(name, $0)).state) }
            }
            throw ControlError.unknownRecord(id, in: collection, concern: concern)
        }
        return reply
    }

    /// So many are named where an id is ambiguous.
    private static let mostCandidates = 6

    /// A record among others, for people.
    private func candidate(_ stored: StoredRecord) -> String {
        let title = context.rules(stored.state.key.collection)?.titleField
        let name = title.flatMap { stored.state.view?.fields[$0]?.text }
        return "\(stored.state.key.id) (\(name ?? "deleted"))"
    }

    package func waitForRecord(_ id: String, in collection: String, timeout: Duration) async throws -> RecordReply {
        let deadline = ContinuousClock.now + timeout
        await journal.catchUp(timeout: timeout)
        let end = journalEnd
        let progress = context.status.waiters.watch()
        while true {
            let wasRead = hasRead(journalUpTo: end)
            let answer = await Result { try await record(id, in: collection) }
            let left = ContinuousClock.now.duration(to: deadline)
            switch answer {
            case .success(let reply) where !reply.pending && wasRead: return reply
            case .failure(let error as ControlError)
            where error.code != "unknownRecord" || left <= .zero || (wasRead && isComplete(collection)):
                throw error
            case .success(let reply) where left <= .zero: return reply
            case .failure(let error) where !(error is ControlError): throw error
            default: break
            }
            try Task.checkCancellation()
            await progress.wait(for: min(left, .milliseconds(500)))
        }
    }

    /// Whether all of the remote's records of a collection have been read since the start.
    private func isComplete(_ collection: String) -> Bool {
        let sync = collections.first { $0.id.name == collection }
        let streams = context.status.current.streams
        return sync.map { $0.mayPush && $0.keyspaces.allSatisfy { streams[$0] == .live } } ?? false
    }

    /// Where the journal's last complete line ends now; nil where there is no journal.
    var journalEnd: UInt64? { try? ReadableFile(path: context.settings.journalPath).endOfLastLine() }

    /// Whether the journal has been read up to `end`; a rotated journal begins anew.
    func hasRead(journalUpTo end: UInt64?) -> Bool {
        let facts = context.status.current
        guard let end, facts.journal.lastError == nil else { return true }
        return facts.journal.offset >= end || (facts.journalCaughtUp && (journalEnd ?? 0) < end)
    }

    /// The reply for a record; nil where the node has no version of it.
    func reply(_ stored: StoredRecord) async throws -> RecordReply? {
        guard stored.state.version != nil else { return nil }
        return reply(stored, try await context.store.read { try $0.waiting(at: stored) })
    }

    /// - Parameter concern: what waits for somebody at the record.
    func reply(_ stored: StoredRecord, _ concern: Concern) -> RecordReply? {
        let state = stored.state
        guard let version = state.version else { return nil }
        var base = state.replyBase
        if concern.isOfRemote { base?.isOutdated = true }
        return RecordReply(
            collection: state.key.collection.name, id: state.key.id.description, fields: version.content?.fields ?? [:],
            stamp: version.stamp.description, deleted: version.deleted, pending: stored.pending != .no,
            reason: stored.pending == .no ? concern.words : reason(stored, concern.words), base: base)
    }

    /// What a list has of a record; nil where the node has no version of it, or `filter` does not let it through.
    private func listed(_ stored: StoredRecord, _ blockage: String?, _ filter: RecordFilter) -> ListedRecord? {
        let state = stored.state
        guard let version = state.version else { return nil }
        guard filter == .all || filter.matches(version.content?.fields ?? [:]) else { return nil }
        return ListedRecord(
            collection: state.key.collection.name, id: state.key.id.description,
            fields: version.content?.text ?? Array("{}".utf8), stamp: version.stamp.description,
            deleted: version.deleted, pending: stored.pending != .no, reason: reason(stored, blockage),
            base: state.replyBase)
    }

    /// Why a record is pending; nil where it is not.
    func reason(_ stored: StoredRecord, _ blockage: String?) -> String? {
        guard stored.pending != .no else { return nil }
        if let blockage { return blockage }
        let (facts, name) = (context.status.current, stored.state.key.collection)
        if context.rules(name) == nil { return "\(name) is not enabled: it goes nowhere before that" }
        if facts.paused.contains(.push) { return "push is paused" }
        if let hold = facts.holds.first(where: { $0.stops(name) }) {
            return "held (\(hold.word), hold \(hold.number)): \(hold.reason)"
        }
        if let failure = facts.writeFailure ?? facts.failure { return failure.words }
        let person = context.rules(name)?.key.author(of: stored.state.keyInRemote)
        if let person, let reason = facts.restingPeople[name]?[person] {
            return "what \(person) has written waits: \(reason)"
        }
        let collection = collections.first { $0.id == name }
        if let collection, !collection.mayPush {
            return facts.paused.contains(.pull)
                ? "pull is paused, and nothing is sent before the remote was read"
                : "waits for the first complete snapshot of the remote"
        }
        if facts.paused.contains(.pull), lacksKey(stored.state) {
            return "pull is paused, and nothing else tells under which key it stands"
        }
        if let silence = collection?.silence { return silence }
        return "waits for its turn"
    }

    /// Whether only the stream of the records tells under which key a deleted record stands.
    func lacksKey(_ state: RecordState) -> Bool {
        context.rules(state.key.collection).map { state.lacksKey($0.key) } ?? false
    }

    package func changes(after: Int64?, limit: Int) async throws -> Page<ChangeReply> {
        let after = try await kept(after)
        let changes = try await context.store.read { try $0.changes(after: after, limit: limit + 1) }
        let items = changes.prefix(limit).map { ChangeReply($0) }
        return Page(items: items, next: changes.count > limit ? items.last.map { String($0.seq) } : nil)
    }

    package func liveChanges(after: Int64?) async throws -> AsyncStream<ChangeReply> {
        liveReaders.changes(after: try await kept(after), from: context.store)
    }

    /// The number of a change where all later ones are still kept: what is asked for, or else the lowest.
    private func kept(_ after: Int64?) async throws -> Int64 {
        let (bounds, last) = try await context.store.read { (try $0.changeBounds(), try $0.storedLastSequence()) }
        let lowest = bounds.map { $0.first - 1 } ?? last
        guard let after else { return lowest }
        if after > last { throw ControlError.ahead(after: after, last: last) }
        if after < lowest { throw ControlError.gone(after: after, kept: lowest) }
        return after
    }

    package func conflicts(after: String?, limit: Int) async throws -> Page<ConflictReply> {
        let before = try number(after)
        let entries = try await context.store.read { try $0.conflicts(before: before, limit: limit + 1) }
        let replies = entries.prefix(limit).map { ConflictReply($0) }
        return Page(items: replies, next: entries.count > limit ? replies.last.map { String($0.id) } : nil)
    }

    func number(_ after: String?) throws(ControlError) -> Int64 {
        guard let after else { return 0 }
        guard let number = Int64(after), number >= 0 else {
            throw ControlError.badRequest("badAfter", "'\(after)' is no number that a page gave as next")
        }
        return number
    }
}

extension RecordState {
    fileprivate var replyBase: RecordReply.Base? {
        remote.map { .init(stamp: $0.stamp?.description, etag: $0.etag) }
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension ConflictReply {
    init(_ entry: LedgerEntry) {
        self.init(
            id: entry.number, collection: entry.key.collection.name, record: entry.key.id.description,
            at: Moment(milliseconds: entry.at), rule: entry.rule, fields: entry.fields, winner: Side(entry.winner),
            loser: Side(entry.loser), restored: entry.restored)
    }
}

extension ConflictReply.Side {
    init(_ version: Version) {
        self.init(
            stamp: version.stamp.description, node: version.stamp.node.description,
            fields: version.content?.fields ?? [:], deleted: version.deleted)
    }
}
