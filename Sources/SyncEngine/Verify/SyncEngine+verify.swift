package import ControlAPI
internal import FoundationEssentials
internal import LocalStore
internal import Logging
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// Comparing both sides, when a person asks and once a week.
extension SyncEngine {
    /// Milliseconds.
    private static let hour: UInt64 = 3_600_000
    /// Between two pages of the weekly comparison.
    private static let pace: UInt64 = 3_000

    package func verify(repair: Bool) async throws -> VerifyReply {
        VerifyReply(collections: try await verify(collections, repair: repair, pace: 0))
    }

    private func verify(
        _ collections: [CollectionSync], repair: Bool, pace: UInt64
    ) async throws -> [VerifyReply.Collection] {
        let wasVerifying = isVerifying.withLock { isVerifying in
            defer { isVerifying = true }
            return isVerifying
        }
        guard !wasVerifying else {
            throw ControlError.verifying
        }
        defer { isVerifying.withLock { $0 = false } }
        var replies: [VerifyReply.Collection] = []
        for collection in collections {
            let verification = Verification(collection.rules, context, pace: pace)
            var reply: VerifyReply.Collection
            do {
                reply = try await verification.run(repair: repair) { collection.tell($0) }
            } catch let error as RemoteError {
                throw ControlError(502, "remoteFailed", "the remote can't be read: \(error)")
            }
            reply.pending = status().collections[collection.id.name]?.pending ?? 0
            try await note(reply, collection.id)
            replies.append(reply)
        }
        return replies
    }

    private func note(_ reply: VerifyReply.Collection, _ collection: CollectionID) async throws {
        let last = CollectionStatus.LastVerify(
            at: reply.at, differences: reply.differences, found: reply.found, repaired: reply.repaired)
        let text = Array(try ControlJSON.text(last))
        try await context.commit { try $0.setValue("verify.\(collection)", text) }
        context.status.update { $0.lastVerify[collection] = last }
        context.logger.log(
            level: reply.differences > 0 ? .warning : .info, "A collection was compared with the remote",
            metadata: [
                "event": "verify.ended", "collection": "\(collection)", "compared": "\(reply.compared)",
                "differences": "\(reply.differences)", "repaired": "\(reply.repaired)",
            ])
    }

    /// Compares each collection once a week, slowly; runs until cancelled.
    func runWeeklyVerification() async {
        _ = try? await firstRun(now: context.wall)
        while !Task.isCancelled {
            await context.clock.sleep(context.clock.monotonic() + SyncEngine.hour)
            if Task.isCancelled { return }
            let (facts, now) = (context.status.current, context.wall)
            guard facts.lastError == nil, facts.paused.isEmpty else { continue }
            guard let first = try? await firstRun(now: now) else { continue }
            for collection in collections where collection.mayPush {
                let last = facts.lastVerify[collection.id]?.at.milliseconds ?? first
                guard WeeklyVerification.isDue(since: last, at: now) else { continue }
                // A comparison that a person has asked for, or a remote that fails: again in an hour.
                _ = try? await verify([collection], repair: false, pace: SyncEngine.pace)
            }
        }
    }

    /// When this state began to count the weeks, in milliseconds since 1970: also a daemon that never runs for a week compares.
    private func firstRun(now: UInt64) async throws -> UInt64 {
        let name = "verify.since"
        let known = try await context.store.read { try $0.text(name) }.flatMap { UInt64($0) }
        if let known, known <= now { return known }
        try await context.commit { try $0.setText(name, String(now)) }
        return now
    }
}

extension Transaction {
    /// What the last comparison of a collection has found.
    func lastVerify(of collection: CollectionID) throws -> CollectionStatus.LastVerify? {
        try value("verify.\(collection)").flatMap {
            try? ControlJSON.read(CollectionStatus.LastVerify.self, from: Data($0))
        }
    }
}
