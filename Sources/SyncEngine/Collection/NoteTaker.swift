internal import ControlAPI
internal import Logging
internal import SyncCore
internal import SyncModel

/// Tells status and log what a machine has noted.
struct NoteTaker: Sendable {
    let collection: CollectionID
    let context: EngineContext

    func take(_ note: CollectionMachine.Note) {
        switch note {
        case .stream(let keyspace, let phase):
            context.status.update { $0.streams[keyspace] = RemoteStatus.Stream(phase) }
        case .streamDown(let keyspace, let error, let wait): streamDown(keyspace, error, wait)
        case .snapshotMerged(let keyspace, let entries):
            log(
                .info, "A snapshot was merged", "snapshot.merged",
                ["keyspace": "\(keyspace.word)", "entries": "\(entries)"])
        case .failed(let error, let wait):
            let known = noteFailure(error, wait)
            log(
                known ? .debug : .warning, "The remote failed", "remote.failed",
                ["code": "\(error.code)", "reason": "\(error)", "retryIn": "\(Duration.milliseconds(wait))"])
        case .writeFailed(let error):
            context.status.update { $0.failing[collection, default: .init()].writeFailure = .init(error) }
        case .succeeded(let writing): succeeded(writing: writing)
        case .acknowledged(let records):
            log(.debug, "A request was acknowledged", "push.acknowledged", ["records": "\(records)"])
        case .refused(let id, let error):
            // The quarantine has it from now on.
            context.status.update { $0.failing[collection]?.writeFailure = nil }
            log(
                .warning, "The remote refused a record", "push.refused",
                ["record": "\(id)", "code": "\(error.code)", "reason": "\(error.message)"])
        case .quarantined(let key, let defect):
            log(
                .warning, "An entry of the remote was put into quarantine", "pull.quarantined",
                ["record": "\(key)", "code": "\(defect.code)", "reason": "\(defect.message)"])
        case .ingested(let entries):
            context.noteIngested(entries)
            log(.debug, "A stream has shown something", "pull.shown", ["entries": "\(entries)"])
        case .unconfirmed(let count): context.status.update { $0.unconfirmed[collection] = count }
        case .resting(let people): resting(people)
        case .fenced(let since): fenced(since)
        case .setBack(let keyspace, let id): setBack(keyspace, id)
        case .serverTimeSetBack(let keyspace): serverTimeSetBack(keyspace)
        case .tombstonesEnded(let count):
            log(.info, "Old tombstones have ended", "tombstones.ended", ["tombstones": "\(count)"])
        }
    }

    private func setBack(_ keyspace: Keyspace, _ id: RecordID?) {
        let witness = id == nil ? "what this node had written of itself" : "one of the newest that it had shown"
        var facts: Logger.Metadata = ["keyspace": "\(keyspace.word)"]
        if let id { facts["record"] = "\(id)" }
        log(.warning, "The remote lacks \(witness): everything is compared with it", "remote.setBack", facts)
    }

    private func serverTimeSetBack(_ keyspace: Keyspace) {
        log(
            .warning, "The remote's clock is behind what it has written: everything is compared with it",
            "remote.timeSetBack", ["keyspace": "\(keyspace.word)"])
    }

    private func resting(_ people: [String: String]) {
        let known = context.status.update { facts in
            defer { facts.restingPeople[collection] = people.isEmpty ? nil : people }
            return facts.restingPeople[collection] ?? [:]
        }
        for (person, reason) in people.sorted(by: { $0.key < $1.key }) where known[person] == nil {
            log(
                .warning, "What somebody has written waits: what they are signed in with can't be renewed",
                "people.waits", ["uid": "\(person)", "reason": "\(reason)"])
        }
    }

    private func fenced(_ since: UInt64?) {
        let now = Moment(milliseconds: context.clock.wall())
        context.status.update { $0.fenced[collection] = now }
        var facts: Logger.Metadata = [:]
        if let since { facts["lastInTouch"] = "\(Moment(milliseconds: since))" }
        log(
            .notice, "This node was away for longer than tombstones are kept: everything is compared with the remote",
            "node.fenced", facts)
    }

    private func streamDown(_ keyspace: Keyspace, _ error: RemoteError, _ wait: UInt64) {
        let known = noteFailure(error, wait)
        log(
            known ? .debug : .warning, "The stream is down", "stream.down",
            [
                "keyspace": "\(keyspace.word)", "code": "\(error.code)", "reason": "\(error)",
                "retryIn": "\(Duration.milliseconds(wait))",
            ])
    }

    /// Shows a failure in status; true where the log has told of it since the remote last answered.
    private func noteFailure(_ error: RemoteError, _ wait: UInt64) -> Bool {
        let retryAt = context.clock.wall() + wait
        return context.status.update { facts in
            let told = facts.toldFailures[collection, default: []]
            let isKnown =
                told.count >= NoteTaker.mostTold || facts.toldFailures.values.contains { $0.contains("\(error)") }
            if !isKnown { facts.toldFailures[collection] = told.union(["\(error)"]) }
            facts.failedAttempts[collection, default: 0] += 1
            let writeFailure = facts.failing[collection]?.writeFailure
            facts.failing[collection] = .init(
                failure: .init(error), writeFailure: writeFailure, lastError: "\(error)", retryAt: retryAt)
            return isKnown
        }
    }

    /// So many kinds of failures are told once: words that change all the time must not fill the memory.
    private static let mostTold = 50

    private func succeeded(writing: Bool) {
        let now = Moment(milliseconds: context.clock.wall())
        let failures = context.status.update { facts in
            facts.failing[collection]?.failure = nil
            if writing {
                facts.lastPushAt = now
                facts.failing[collection]?.writeFailure = nil
            } else {
                facts.lastPullAt = now
            }
            // What is read meanwhile does not end the trouble with writing.
            guard facts.failing[collection]?.writeFailure == nil else { return 0 }
            facts.failing[collection] = nil
            facts.toldFailures[collection] = nil
            return facts.failedAttempts.removeValue(forKey: collection) ?? 0
        }
        guard failures > 0 else { return }
        log(.info, "The remote answers again", "remote.recovered", ["failures": "\(failures)"])
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ event: String, _ facts: Logger.Metadata) {
        var metadata = facts
        metadata["event"] = "\(event)"
        metadata["collection"] = "\(collection)"
        context.logger.log(level: level, message, metadata: metadata)
    }
}

extension RemoteStatus.Stream {
    fileprivate init(_ phase: CollectionMachine.StreamPhase) {
        switch phase {
        case .connecting: self = .connecting
        case .snapshot: self = .snapshot
        case .live: self = .live
        case .down: self = .down
        }
    }
}

extension Keyspace {
    /// What the keyspace is called in the log.
    fileprivate var word: String {
        switch self {
        case .records: "records"
        case .tombstones: "tombstones"
        }
    }
}
