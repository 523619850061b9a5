internal import ControlAPI
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// One comparison of a collection with the remote: the keys, then the bodies in pages, then what differs once more.
struct Verification: Sendable {
    let collection: CollectionID
    let context: EngineContext
    /// The one that was there at the beginning.
    private let remote: any Remote
    /// Milliseconds between two pages; nil for none.
    let pause: UInt64?

    private static let pageSize = 500
    /// More than these are not looked at again.
    private static let most = 1_000
    /// In milliseconds: what apps change waits so long at most until it is taken.
    private static let patience: UInt64 = 4_000

    init(_ collection: CollectionID, _ context: EngineContext, pause: UInt64?) {
        self.collection = collection
        self.context = context
        remote = context.remote
        self.pause = pause
    }

    private typealias Findings = [String: BaseComparison.Finding]

    /// - Parameter tell: hands the collection's machine what is to be repaired.
    func run(repair: Bool, tell: (CollectionMachine.Input) -> Void) async throws -> VerifyReply.Collection {
        let keyspace = Keyspace.records(collection)
        let keys = try await remote.keys(in: keyspace)
        var findings = try await missing(from: keys)
        var next: String?
        repeat {
            let page = try await remote.readRange(
                from: next, through: nil, limit: Verification.pageSize, in: keyspace)
            findings.merge(try await compare(page.entries)) { _, new in new }
            next = page.next
            try Task.checkCancellation()
            if let pause, next != nil { await context.clock.sleep(context.clock.monotonic() + pause) }
        } while next != nil
        findings = try await lookAgain(at: findings)
        if !findings.isEmpty, context.status.current.unconfirmed[collection] ?? 0 > 0 {
            await context.clock.sleep(context.clock.monotonic() + Verification.patience)
            findings = try await lookAgain(at: findings)
        }
        if repair { Verification.repairs(of: findings).forEach(tell) }
        let found = Dictionary(grouping: findings.values) { $0.rawValue }.mapValues(\.count)
        var reply = VerifyReply.Collection(
            collection: collection.name, at: Moment(milliseconds: context.wall), compared: keys.count,
            differences: findings.count, found: found, repaired: repair,
            items: findings.sorted { $0.key < $1.key }.prefix(ControlRoute.maxNamed).map {
                .init(key: $0.key, what: $0.value.rawValue)
            })
        guard repair, !findings.isEmpty else { return reply }
        let holds = try await holds(on: findings)
        if !holds.isEmpty { reply.holds = holds }
        if context.status.current.paused.contains(.pull) { reply.isPaused = true }
        return reply
    }

    /// The holds that keep something of what was found as it is.
    private func holds(on findings: Findings) async throws -> [Int64] {
        guard let rules = context.rules(collection) else { return [] }
        let (collection, ids) = (collection, findings.keys.compactMap(rules.recordID(of:)))
        return try await context.store.read { transaction in
            let pulls = try transaction.holds().filter { $0.direction == .pull }
            guard !pulls.isEmpty else { return [] }
            var numbers = Set(pulls.filter { $0.stops(collection) }.map(\.number))
            let all = Set(pulls.map(\.number))
            for id in ids { numbers.formUnion(try transaction.held(RecordKey(collection, id)).map(\.hold)) }
            return numbers.intersection(all).sorted()
        }
    }

    /// What is missing there may be a wiped remote as well as single deletes: that is for the comparison of all keys,
    /// with its brakes.
    private static func repairs(of findings: Findings) -> [CollectionMachine.Input] {
        func keys(_ wanted: BaseComparison.Finding...) -> [String] {
            findings.filter { wanted.contains($0.value) }.keys.sorted()
        }
        let (again, seconds) = (keys(.differs, .missingHere, .unreadable), keys(.secondKey))
        var inputs: [CollectionMachine.Input] = []
        if !again.isEmpty { inputs.append(.readKeys(again)) }
        if !seconds.isEmpty { inputs.append(.secondKeys(seconds)) }
        if findings.values.contains(.missingThere) { inputs.append(.reconcile) }
        return inputs
    }

    /// What the base has under keys that are not there.
    private func missing(from keys: [String]) async throws -> Findings {
        guard let rules = context.rules(collection) else { return [:] }
        let shown = Set(keys.compactMap(rules.recordID(of:)))
        let collection = collection
        return try await context.store.read { transaction in
            var absent: [RecordID] = []
            try transaction.forEachInBase(of: collection) { _, id in if !shown.contains(id) { absent.append(id) } }
            let names = try absent.map { try transaction.record(RecordKey(collection, $0)).state.keyInRemote }
            return Findings(names.map { ($0, .missingThere) }) { first, _ in first }
        }
    }

    private func compare(_ entries: [RemoteEntry]) async throws -> Findings {
        guard let rules = context.rules(collection) else { return [:] }
        let (collection, comparison) = (collection, BaseComparison(rules, context.time))
        return try await context.store.read { transaction in
            var findings: Findings = [:]
            for entry in entries {
                let state = try rules.recordID(of: entry.key).map {
                    try transaction.record(RecordKey(collection, $0)).state
                }
                findings[entry.key] = comparison.finding(on: entry, state)
            }
            return findings
        }
    }

    /// What was on its way while the keys and pages were read is no difference.
    private func lookAgain(at first: Findings) async throws -> Findings {
        var findings = first
        for key in first.keys.sorted().prefix(Verification.most) {
            let entry = try await remote.read(key, in: .records(collection))
            findings[key] = try await compare([entry])[key]
        }
        return findings
    }
}
