internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension CollectionSync {
    /// Brings the remote to what these records say: in batches where that is safe, else one by one.
    func push(_ ids: [RecordID]) async {
        do {
            let states = try await context.store.read { [id] transaction in
                try ids.map { try transaction.record(RecordKey(id, $0)).state }
            }
            let pushContext = pushContext
            var batch: [RecordState] = []
            var single: [RecordState] = []
            var done: [RecordID] = []
            for state in states {
                switch state.step(pushContext) {
                case .nothing, .blocked: done.append(state.key.id)
                case .insertInBatch: batch.append(state)
                default: if context.settings.writeGuard == .rules { batch.append(state) } else { single.append(state) }
                }
            }
            await land(done)
            for part in parts(of: batch) { await pushBatch(part) }
            await pushSingly(single)
        } catch {
            requeue(ids)
            await land(ids)
            failed(error)
        }
    }

    func requeue(_ ids: [RecordID]) {
        work.withLock { work in
            for id in ids { work.enqueue(id) }
        }
    }

    /// Cuts a batch into pieces of at most 256 KiB.
    private func parts(of batch: [RecordState]) -> [[RecordState]] {
        var parts: [[RecordState]] = []
        var size = 0
        for state in batch {
            let bytes = (state.local?.content?.text.count ?? 0) + 200
            if parts.isEmpty || size + bytes > 256 << 10 {
                parts.append([])
                size = 0
            }
            parts[parts.count - 1].append(state)
            size += bytes
        }
        return parts
    }

    // MARK: Batches

    private func pushBatch(_ states: [RecordState]) async {
        let ids = states.map(\.key.id)
        do {
            try await context.remote.writeBatch(states.flatMap(elements))
            succeeded(writing: true)
            try await acknowledge(states)
            await land(ids)
        } catch let error as RemoteError where error.code == .denied || error.code == .refused {
            await refused(states, error)
        } catch let error as RemoteError where error.code == .unreachable || error.code == .unavailable {
            requeue(ids)
            await land(ids)
            failed(error)
        } catch {
            try? await noteAttempt(ids)
            requeue(ids)
            await land(ids)
            failed(error)
        }
    }

    private func elements(_ state: RecordState) -> [BatchElement] {
        guard let local = state.local else { return [] }
        let key = state.node?.key ?? state.key.id.description
        guard local.deleted else {
            return [BatchElement(shelf: .records(id), key: key, write: write(state, local, key: key))].compactMap { $0 }
        }
        var elements: [BatchElement] = []
        if context.remote.keepsTombstones {
            let tombstone = RemoteWrite(
                key: state.key.id.description, body: .tombstone(ended: ended(state)), stamp: local.stamp)
            elements.append(BatchElement(shelf: .tombstones(id), key: tombstone.key, write: tombstone))
        }
        elements.append(BatchElement(shelf: .records(id), key: key, write: nil))
        return elements
    }

    private func write(_ state: RecordState, _ local: Version, key: String) -> RemoteWrite? {
        local.content.map {
            RemoteWrite(
                key: key, body: .record($0, identifying: plugin.identifying(state.key.id)), stamp: local.stamp)
        }
    }

    private func ended(_ state: RecordState) -> ContentHash? {
        state.node?.content.hash ?? state.tombstone?.ended
    }

    private func acknowledge(_ states: [RecordState]) async throws {
        let keepsTombstones = context.remote.keepsTombstones
        try await context.commit { [id] transaction in
            for sent in states {
                guard let version = sent.local else { continue }
                var stored = try transaction.record(RecordKey(id, sent.key.id))
                var outcome = Outcome()
                if version.deleted {
                    if keepsTombstones {
                        stored.state.tombstone = KnownTombstone(stamp: version.stamp, ended: self.ended(sent))
                    }
                    stored.state.removed()
                } else {
                    outcome = stored.state.acknowledged(version, etag: nil, key: sent.node?.key)
                }
                try self.keeper(transaction).keep(stored, outcome, origin: .journal)
            }
        }
    }

    private func noteAttempt(_ ids: [RecordID]) async throws {
        try await context.commit { [id] transaction in
            for record in ids {
                var stored = try transaction.record(RecordKey(id, record))
                stored.state.attempted()
                try self.keeper(transaction).keep(stored, Outcome(), origin: .journal)
            }
        }
    }

    /// The server refused a batch: it is halved until the record is found. A refused record is read and merged before
    /// anything else is decided; where the answer changes nothing, it goes to quarantine with the server's words.
    private func refused(_ states: [RecordState], _ error: RemoteError) async {
        let ids = states.map(\.key.id)
        if error.code == .denied, !context.health.hasSucceeded, states.count > 1, context.settings.writeGuard == .etag {
            requeue(ids)
            await land(ids)
            return failed(error)
        }
        guard states.count == 1, let state = states.first else {
            let middle = states.count / 2
            await pushBatch(Array(states[..<middle]))
            await pushBatch(Array(states[middle...]))
            return
        }
        await refusedOne(state, error)
    }

    /// The server refused one record.
    private func refusedOne(_ state: RecordState, _ error: RemoteError) async {
        let id = state.key.id
        do {
            let before = try await context.store.read { [self] in try $0.record(RecordKey(self.id, id)).state.base }
            try await merge([try await readOne(id, key: state.node?.key)])
            let after = try await context.store.read { [self] in try $0.record(RecordKey(self.id, id)).state }
            if after.local == state.local, after.base.isAbout(before),
                error.code == .refused || context.health.hasSucceeded
            {
                try await quarantine(state, error)
            } else {
                requeue([id])
            }
            await land([id])
            if error.code == .denied, !context.health.hasSucceeded { failed(error) }
        } catch {
            requeue([id])
            await land([id])
            failed(error)
        }
    }

    private func quarantine(_ state: RecordState, _ error: RemoteError) async throws {
        try await context.commit { [self] transaction in
            var stored = try transaction.record(state.key)
            stored.state.blocked = state.local?.stamp
            var item = QuarantinedItem(.push, Defect(.refused, error.message), since: context.wall())
            item.collection = id
            item.record = state.key.id.description
            item.stamp = state.local?.stamp
            try transaction.quarantine(item)
            try keeper(transaction).keep(stored, Outcome(), origin: .journal)
        }
        context.logger.warning(
            "The remote refused a record",
            metadata: [
                "event": "push.refused", "collection": "\(id)", "record": "\(state.key.id)", "code": "\(error.code)",
                "reason": "\(error.message)",
            ])
    }

    // MARK: One by one

    private func pushSingly(_ states: [RecordState]) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, state) in states.enumerated() {
                if index >= 8 { await group.next() }
                group.addTask { await self.pushOne(state) }
            }
        }
    }

    /// Takes one record to its end: up to six requests, one after the other.
    private func pushOne(_ first: RecordState) async {
        let id = first.key.id
        var state = first
        do {
            for _ in 0..<6 {
                let step = state.step(pushContext)
                if step == .nothing || step == .blocked { break }
                try await perform(step, state)
                state = try await context.store.read { try $0.record(first.key).state }
            }
            if state.step(pushContext) != .nothing, state.step(pushContext) != .blocked { requeue([id]) }
            await land([id])
        } catch let error as RemoteError where error.code == .refused || error.code == .denied {
            await refusedOne(state, error)
        } catch {
            if state.fresh != nil { try? await noteAttempt([id]) }
            requeue([id])
            await land([id])
            failed(error)
        }
    }

    private func perform(_ step: PushStep, _ state: RecordState) async throws {
        guard let local = state.local else { return }
        let id = state.key.id
        let key = state.node?.key ?? id.description
        switch step {
        case .nothing, .blocked: return
        case .insertInBatch:
            guard let write = write(state, local, key: key) else { return }
            try await context.remote.writeBatch([BatchElement(shelf: .records(self.id), key: key, write: write)])
            try await acknowledge([state])
        case .write(let condition):
            guard let write = write(state, local, key: key) else { return }
            let outcome = try await context.remote.write(write, in: .records(self.id), if: .init(condition))
            try await written(state, local, outcome, key: state.node?.key)
        case .writeTombstone(let condition): try await writeTombstone(state, local, .init(condition))
        case .remove(let etag):
            switch try await context.remote.remove(key, in: .records(self.id), ifMatches: etag) {
            case .written:
                try await change(id) {
                    $0.removed()
                    return Outcome()
                }
            case .conflict(let entry): try await merge([try await explained(reader.read(entry), id)])
            }
        case .read: try await merge([try await readOne(id, key: state.node?.key)])
        case .readTombstone:
            let found = reader.read(try await context.remote.read(id.description, in: .tombstones(self.id)))
            try await merge(tombstone: found, id)
        }
        succeeded(writing: true)
    }

    private func written(_ state: RecordState, _ local: Version, _ outcome: WriteOutcome, key: String?) async throws {
        switch outcome {
        case .written(let etag):
            try await change(state.key.id) { $0.acknowledged(local, etag: etag, key: key) }
        case .conflict(let entry): try await merge([try await explained(reader.read(entry), state.key.id)])
        }
    }

    private func writeTombstone(_ state: RecordState, _ local: Version, _ condition: WriteCondition) async throws {
        let id = state.key.id
        let ended = ended(state)
        let write = RemoteWrite(key: id.description, body: .tombstone(ended: ended), stamp: local.stamp)
        switch try await context.remote.write(write, in: .tombstones(self.id), if: condition) {
        case .written(let etag):
            try await change(id) {
                $0.tombstone = KnownTombstone(stamp: local.stamp, ended: ended, etag: etag)
                return Outcome()
            }
        case .conflict(let entry): try await merge(tombstone: reader.read(entry), id)
        }
    }

    private func merge(tombstone entry: SeenEntry, _ id: RecordID) async throws {
        var found: KnownTombstone?
        switch entry.sight {
        case .tombstone(let tombstone): found = tombstone
        case .unreadable(let defect): return try await context.commit { try self.block(entry, defect, $0) }
        case .record: break
        }
        let tombstone = found
        try await context.commit { [self] transaction in
            var stored = try transaction.record(RecordKey(self.id, id))
            let outcome = stored.state.readTombstone(tombstone, clock: &transaction.clock, wall: context.wall())
            try keeper(transaction).keep(stored, outcome, origin: .remote)
        }
    }

    private func change(_ id: RecordID, _ change: @Sendable @escaping (inout RecordState) -> Outcome) async throws {
        try await context.commit { [self] transaction in
            var stored = try transaction.record(RecordKey(self.id, id))
            let outcome = change(&stored.state)
            try keeper(transaction).keep(stored, outcome, origin: .journal)
        }
    }
}

extension WriteCondition {
    init(_ condition: PushStep.WriteIf) {
        switch condition {
        case .absent: self = .absent
        case .matches(let etag): self = .matches(etag: etag)
        }
    }
}

extension RecordState.Base {
    /// Whether both say the same of the remote's content, whatever is known of the ETag.
    func isAbout(_ other: RecordState.Base) -> Bool {
        switch (self, other) {
        case (.present(let left), .present(let right)): left.stamp == right.stamp && left.content == right.content
        case (.unknown, .present), (.absent, .present), (.present, .unknown), (.present, .absent): false
        default: true
        }
    }
}
