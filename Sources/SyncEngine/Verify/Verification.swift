internal import ControlAPI
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// One comparison of a collection with the remote: asks what its ``VerificationCourse`` wants to know.
struct Verification: Sendable {
    private let rules: CollectionRules
    private let context: EngineContext
    /// The one that was there at the beginning.
    private let remote: any Remote
    private let pace: UInt64

    /// - Parameter pace: milliseconds between two pages.
    init(_ rules: CollectionRules, _ context: EngineContext, pace: UInt64) {
        self.rules = rules
        self.context = context
        remote = context.remote
        self.pace = pace
    }

    private var collection: CollectionID { rules.id }

    /// - Parameter tell: hands the collection's machine what is to be repaired.
    func run(repair: Bool, tell: (CollectionMachine.Input) -> Void) async throws -> VerifyReply.Collection {
        let course = try await course()
        if repair { course.repairs.forEach(tell) }
        let differences = course.differences
        let found = Dictionary(grouping: differences) { $0.finding.rawValue }.mapValues(\.count)
        var reply = VerifyReply.Collection(
            collection: collection.name, at: Moment(milliseconds: context.wall), compared: course.compared,
            differences: differences.count, found: found, repaired: repair,
            items: differences.prefix(ControlRoute.maxNamed).map { .init(key: $0.key, what: $0.finding.rawValue) })
        guard repair, !differences.isEmpty else { return reply }
        let holds = try await holds(on: differences.map(\.key))
        if !holds.isEmpty { reply.holds = holds }
        let (paused, seconds) = (context.status.current.paused, differences.filter { $0.finding == .secondKey })
        if paused.contains(.pull) { reply.isPaused = true }
        if paused.contains(.push), !seconds.isEmpty { reply.isPushPaused = true }
        let kept = try await kept(seconds.map(\.key))
        if kept > 0 { reply.kept = kept }
        return reply
    }

    private func course() async throws -> VerificationCourse {
        var course = VerificationCourse(rules, pace: pace)
        while let question = course.question {
            if question.pause > 0 { await context.clock.sleep(context.clock.monotonic() + question.pause) }
            try Task.checkCancellation()
            let answer: CollectionMachine.Answer
            do {
                answer = try await remote.perform(question.call)
            } catch let error as RemoteError where course.goesOn(after: error) {
                continue
            }
            let compared = try await context.store.read { [course, time = context.time] transaction in
                try course.compare(answer, time, transaction)
            }
            course.take(answer, compared, isBusy: context.status.current.unconfirmed[collection] ?? 0 > 0)
        }
        return course
    }

    /// How many of these second keys are in quarantine: nobody removes them by asking again.
    private func kept(_ keys: [String]) async throws -> Int {
        guard !keys.isEmpty else { return 0 }
        return try await context.store.read { [collection] transaction in
            try keys.count { key in
                try transaction.quarantinedAtRemote(collection: collection, record: key).contains { $0.source == .pull }
            }
        }
    }

    /// The holds that keep something of what was found as it is.
    private func holds(on keys: [String]) async throws -> [Int64] {
        let (collection, ids) = (collection, keys.compactMap(rules.recordID(of:)))
        return try await context.store.read { transaction in
            let pulls = try transaction.holds().filter { $0.direction == .pull }
            guard !pulls.isEmpty else { return [] }
            var numbers = Set(pulls.filter { $0.stops(collection) }.map(\.number))
            let all = Set(pulls.map(\.number))
            for id in ids { numbers.formUnion(try transaction.held(RecordKey(collection, id)).map(\.hold)) }
            return numbers.intersection(all).sorted()
        }
    }
}
