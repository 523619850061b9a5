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
            let records = try await context.store.read { [id] transaction in
                try ids.map { try transaction.record(RecordKey(id, $0)) }
            }
            let plan = PushPlan(records, pushContext, guarded: context.settings.writeGuard == .rules)
            await complete(plan.done)
            for part in parts(of: plan.batch) { await pushBatch(part) }
            await pushSingly(plan.single)
        } catch {
            requeue(ids)
            await complete(ids)
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
            await complete(ids, acknowledged: states)
            context.logger.debug(
                "A batch was acknowledged",
                metadata: ["event": "push.acknowledged", "collection": "\(id)", "records": "\(states.count)"])
        } catch let error as RemoteError where error.code == .denied || error.code == .refused {
            await refused(states, error)
        } catch let error as RemoteError where error.nothingWasWritten {
            requeue(ids)
            await complete(ids)
            failed(error)
        } catch {
            try? await noteAttempt(ids)
            requeue(ids)
            await complete(ids)
            failed(error)
        }
    }

    private func elements(_ state: RecordState) -> [BatchElement] {
        guard let local = state.local else { return [] }
        let key = state.remote?.key ?? state.key.id.description
        guard local.deleted else {
            return [BatchElement(keyspace: .records(id), key: key, write: write(state, local, key: key))].compactMap {
                $0
            }
        }
        var elements: [BatchElement] = []
        if context.remote.keepsTombstones {
            let tombstone = tombstone(of: state, stamp: local.stamp)
            elements.append(
                BatchElement(keyspace: .tombstones(id), key: tombstone.write.key, write: tombstone.write))
        }
        elements.append(BatchElement(keyspace: .records(id), key: key, write: nil))
        return elements
    }

    func acknowledge(_ states: [RecordState]) async throws {
        let keepsTombstones = context.remote.keepsTombstones
        try await context.commit { [id, context] transaction in
            for sent in states {
                guard let version = sent.local else { continue }
                if try !version.deleted && transaction.acknowledge(sent.key, version) { continue }
                var stored = try transaction.record(RecordKey(id, sent.key.id))
                var outcome = Outcome()
                if version.deleted {
                    if keepsTombstones {
                        stored.state.tombstone = self.tombstone(of: sent, stamp: version.stamp).known
                    }
                    stored.state.removed()
                } else {
                    outcome = stored.state.acknowledged(version, etag: nil, key: sent.remote?.key)
                }
                try context.writer(transaction).save(stored, outcome, origin: .journal)
            }
        }
    }

    func noteAttempt(_ ids: [RecordID]) async throws {
        try await context.commit { [id, context] transaction in
            for record in ids {
                var stored = try transaction.record(RecordKey(id, record))
                stored.state.attempted()
                try context.writer(transaction).save(stored, Outcome(), origin: .journal)
            }
        }
    }

    /// The server refused a batch: it is halved until the record is found. A refused record is read and merged before
    /// anything else is decided; where the answer changes nothing, it goes to quarantine with the server's words.
    private func refused(_ states: [RecordState], _ error: RemoteError) async {
        let ids = states.map(\.key.id)
        if error.code == .denied, !context.health.hasSucceeded, states.count > 1, context.settings.writeGuard == .etag {
            requeue(ids)
            await complete(ids)
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

    /// The server refused one record. Where all are denied, as after a change of the rules, it waits and says so.
    func refusedOne(_ state: RecordState, _ error: RemoteError) async {
        let id = state.key.id
        do {
            let before = try await context.store.read { [self] in try $0.record(RecordKey(self.id, id)).state.base }
            try await merge([try await readOne(id, key: state.remote?.key)])
            let after = try await context.store.read { [self] in try $0.record(RecordKey(self.id, id)).state }
            let isUnchanged = after.local == state.local && after.base.isAbout(before)
            let isItsOwnFault = error.code == .refused || context.health.denied(state.key, state.local?.stamp)
            if isUnchanged, isItsOwnFault {
                try await quarantine(state, error)
            } else {
                requeue([id])
            }
            await complete([id])
            if !isItsOwnFault, isUnchanged || !context.health.hasSucceeded { failed(error) }
        } catch {
            requeue([id])
            await complete([id])
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
            try context.writer(transaction).save(stored, Outcome(), origin: .journal)
        }
        context.logger.warning(
            "The remote refused a record",
            metadata: [
                "event": "push.refused", "collection": "\(id)", "record": "\(state.key.id)", "code": "\(error.code)",
                "reason": "\(error.message)",
            ])
    }
}

extension RemoteError {
    /// Whether the request certainly changed nothing, so that a first attempt may still be a first one.
    var nothingWasWritten: Bool {
        [.unreachable, .unavailable, .unauthorized, .stopped].contains(code)
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
