internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension CollectionSync {
    func pushSingly(_ states: [RecordState]) async {
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
        var last: PushStep?
        do {
            for _ in 0..<6 {
                let step = state.step(pushContext)
                if step == last, step == .read || step == .readTombstone { throw RemoteError.noETag(id) }
                last = step
                try await perform(step, state)
                let stored = try await context.store.read { try $0.record(first.key) }
                state = stored.state
                if stored.pending != .yes { return await complete([id]) }
            }
            throw RemoteError.contended(id)
        } catch let error as RemoteError where error.code == .refused || error.code == .denied {
            await refusedOne(state, error)
        } catch {
            if state.newInRun != nil, (error as? RemoteError)?.nothingWasWritten != true {
                try? await noteAttempt([id])
            }
            requeue([id])
            await complete([id])
            failed(error)
        }
    }

    private func perform(_ step: PushStep, _ state: RecordState) async throws {
        guard let local = state.local else { return }
        let id = state.key.id
        let key = state.remote?.key ?? id.description
        switch step {
        case .nothing, .blocked: return
        case .insertInBatch:
            guard let write = write(state, local, key: key) else { return }
            try await context.remote.writeBatch([BatchElement(keyspace: .records(self.id), key: key, write: write)])
            try await acknowledge([state])
        case .write(let condition):
            guard let write = write(state, local, key: key) else { return }
            let outcome = try await context.remote.write(write, in: .records(self.id), if: .init(condition))
            try await written(state, local, outcome, key: state.remote?.key)
        case .writeTombstone(let condition): try await writeTombstone(state, local, .init(condition))
        case .remove(let etag):
            switch try await context.remote.remove(key, in: .records(self.id), ifMatches: etag) {
            case .written:
                try await change(id) {
                    $0.removed()
                    return Outcome()
                }
            case .conflict(let entry): try await merge([try await withTombstone(reader.read(entry), id)])
            }
        case .read: try await merge([try await readOne(id, key: state.remote?.key)])
        case .readTombstone:
            let found = reader.read(try await context.remote.read(id.description, in: .tombstones(self.id)))
            try await merge(tombstone: found, id)
        }
        succeeded(writing: true)
        context.logger.debug(
            "A request was acknowledged",
            metadata: [
                "event": "push.acknowledged", "collection": "\(self.id)", "record": "\(id)", "stamp": "\(local.stamp)",
            ])
    }

    private func written(_ state: RecordState, _ local: Version, _ outcome: WriteOutcome, key: String?) async throws {
        switch outcome {
        case .written(let etag): try await change(state.key.id) { $0.acknowledged(local, etag: etag, key: key) }
        case .conflict(let entry): try await merge([try await withTombstone(reader.read(entry), state.key.id)])
        }
    }

    private func writeTombstone(_ state: RecordState, _ local: Version, _ condition: WriteCondition) async throws {
        let id = state.key.id
        let tombstone = tombstone(of: state, stamp: local.stamp)
        switch try await context.remote.write(tombstone.write, in: .tombstones(self.id), if: condition) {
        case .written(let etag):
            try await change(id) {
                $0.tombstone = tombstone.known
                $0.tombstone?.etag = etag
                return Outcome()
            }
        case .conflict(let entry): try await merge(tombstone: reader.read(entry), id)
        }
    }

    private func merge(tombstone entry: ObservedEntry, _ id: RecordID) async throws {
        let time = context.time
        let defect = try await context.commit { [self] transaction -> Defect? in
            var found: KnownTombstone?
            switch entry.value {
            case .record: break
            case .unreadable(let defect):
                try block(entry, defect, transaction)
                return defect
            case .tombstone(let shown): found = shown
            }
            if let stamp = found?.stamp, time.isFuture(stamp.physical) {
                return try quarantine(future: stamp, entry, transaction)
            }
            var stored = try transaction.record(RecordKey(self.id, id))
            let outcome = stored.state.readTombstone(found, clock: &transaction.clock, wall: time.wall)
            try context.writer(transaction).save(stored, outcome, origin: .remote)
            return nil
        }
        if let defect { log(entry.key, defect) }
    }

    private func change(_ id: RecordID, _ change: @Sendable @escaping (inout RecordState) -> Outcome) async throws {
        try await context.commit { [self] transaction in
            var stored = try transaction.record(RecordKey(self.id, id))
            let outcome = change(&stored.state)
            try context.writer(transaction).save(stored, outcome, origin: .journal)
        }
    }
}

extension WriteCondition {
    init(_ condition: PushStep.Condition) {
        switch condition {
        case .absent: self = .absent
        case .matches(let etag): self = .matches(etag: etag)
        }
    }
}

extension RemoteError {
    /// An answered read did not show the ETag that the next write needs.
    fileprivate static func noETag(_ id: RecordID) -> RemoteError {
        RemoteError(
            Code("noETag"), "the answer to reading \(id) has no ETag: is there a proxy that removes it?")
    }

    /// Others changed the record each time that it was about to be written.
    fileprivate static func contended(_ id: RecordID) -> RemoteError {
        RemoteError(Code("contended"), "\(id) was changed by others again and again while it was being written")
    }
}
