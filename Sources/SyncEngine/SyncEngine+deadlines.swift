internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension SyncEngine {
    /// Ends holds and quarantines that time alone ends; runs until cancelled.
    func runDeadlines() async {
        while !Task.isCancelled {
            let versions = (try? await futureVersions()) ?? []
            let now = context.wall
            for version in versions where version.until <= now { hint(version.key) }
            let later = versions.map(\.until).filter { $0 > now }
            let next = ([nextExpiry].compactMap { $0 } + later).min()
            await deadlines.wait(for: next.map { .milliseconds(Int64($0 > now ? min($0 - now, 86_400_000) : 0) + 5) })
            if Task.isCancelled { return }
            if let nextExpiry, nextExpiry <= context.wall { try? await expireHolds() }
        }
    }

    /// The moment, in milliseconds since 1970, at which the next hold ends by itself; nil where none does.
    private var nextExpiry: UInt64? {
        context.status.current.holds.filter { $0.kind?.rule.expires ?? false }.compactMap(\.until).min()
    }

    private func expireHolds() async throws {
        let now = context.wall
        try await context.commit { [context] transaction in
            for hold in try transaction.holds() where hold.until.map({ $0 <= now }) ?? false {
                try HoldDecision.expire(hold, in: transaction, context.applier)
            }
        }
    }

    private func hint(_ key: RecordKey) {
        collections.first { $0.id == key.collection }?.tell(.readAgain([key.id]))
    }

    private struct FutureVersion: Sendable {
        var key: RecordKey
        var until: UInt64
    }

    /// Remote versions that were set aside because they are from the future, and when time has caught up with them.
    private func futureVersions() async throws -> [FutureVersion] {
        let time = context.time
        let ids = collections.map(\.id)
        return try await context.store.read { transaction in
            try ids.flatMap { id in
                try transaction.quarantined(code: .futureStamp, in: id).compactMap { item in
                    guard let stamp = item.stamp, let record = item.record.flatMap({ RecordID($0) }) else { return nil }
                    let until = Int64(stamp.physical) - time.offset - Int64(time.maxAhead)
                    return FutureVersion(key: RecordKey(id, record), until: UInt64(max(0, until)))
                }
            }
        }
    }
}
