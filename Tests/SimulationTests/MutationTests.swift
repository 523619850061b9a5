import Simulation
import SyncModel
import Testing

/// Each rule that is turned wrong is noticed: so the runs that keep every promise say something.
struct MutationTests {
    struct Mutant: Sendable, CustomTestStringConvertible {
        var mutation: SimulatedMutation
        var faults: Set<Fault> = []
        var apps = 0
        var pull = PullMode.full
        /// How long tombstones are kept, where not for long.
        var keep: UInt64?
        var promises: Set<Violation.Promise>

        var testDescription: String { mutation.rawValue }
    }

    static let mutants: [Mutant] = [
        Mutant(mutation: .futureIsAdmitted, faults: [.clockSteps], promises: [.stamps]),
        Mutant(
            mutation: .positionAheadOfEffect, faults: [.crash, .diskFull],
            promises: [.acknowledgedIsKept, .convergence]),
        Mutant(mutation: .stampOfUnknownForgotten, promises: [.stamps]),
        Mutant(mutation: .eventsDropped, promises: [.convergence]),
        Mutant(mutation: .decisionsUntold, promises: [.convergence]),
        Mutant(mutation: .positionInsideLine, promises: [.positions]),
        Mutant(mutation: .mergeByArrival, promises: [.mergeOrder]),
        Mutant(mutation: .numbersByLastWrite, promises: [.mergeOrder]),
        Mutant(mutation: .setsByLastWrite, promises: [.edits]),
        Mutant(mutation: .clockForgotten, faults: [.clockSteps], promises: [.stamps]),
        Mutant(mutation: .countedTwice, promises: [.counters]),
        Mutant(mutation: .heldIsWritten, promises: [.holds]),
        Mutant(mutation: .endsAtOnce, keep: 300_000, promises: [.tombstones]),
        Mutant(mutation: .horizonIgnored, keep: 300_000, promises: [.tombstones]),
        Mutant(mutation: .absenceForgotten, pull: .incremental, keep: 300_000, promises: [.convergence]),
        Mutant(mutation: .polling, promises: [.idle, .convergence]),
        Mutant(mutation: .noBackoff, faults: Set(Fault.allCases), apps: 1, promises: [.storm]),
        Mutant(mutation: .upperCaseReads, apps: 2, promises: [.storm, .convergence]),
        Mutant(
            mutation: .cursorFromLocalClock, faults: [.clockOff], pull: .incremental,
            promises: [.convergence, .storm]),
        Mutant(mutation: .approvalEndsEdits, apps: 1, promises: [.edits]),
        Mutant(mutation: .rejectionSkipsLines, promises: [.acknowledgedIsKept]),
        Mutant(mutation: .unreadableLooksAbsent, apps: 2, promises: [.edits]),
        Mutant(mutation: .setAsideForgotten, apps: 2, promises: [.edits]),
        Mutant(mutation: .olderStampDropped, apps: 1, promises: [.convergence, .edits]),
        Mutant(mutation: .windowByWallClock, promises: [.holds]),
    ]

    @Test(arguments: mutants)
    func `a wrong rule is noticed`(mutant: Mutant) {
        var noticed: Set<Violation.Promise> = []
        for seed in UInt64(1)...60 where noticed.isEmpty {
            var settings = SimulationSettings(seed: seed)
            settings.mutation = mutant.mutation
            settings.faults = mutant.faults
            settings.apps = mutant.apps
            settings.pull = mutant.pull
            settings.keep = mutant.keep ?? settings.keep
            settings.steps = mutant.keep == nil ? 25 : 40
            noticed = Set(Simulation.run(settings).violations.map(\.promise)).intersection(mutant.promises)
        }
        #expect(!noticed.isEmpty)
    }

    /// One of two people adds a member of a set and removes another, the other one adds one too.
    @Test func `it is noticed which member of a set is lost, and which comes back`() {
        var settings = SimulationSettings(seed: 1)
        settings.mutation = .setsByLastWrite
        settings.faults = []
        settings.apps = 0
        let found = Simulation.run(settings).violations.map(\.what)
        #expect(found.contains { $0.hasPrefix("tags/") && $0.contains("is gone") })
        #expect(found.contains { $0.hasPrefix("tags/") && $0.contains("is back") })
    }
}
