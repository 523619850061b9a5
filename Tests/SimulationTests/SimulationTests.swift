import Foundation
import Simulation
import SyncModel
import Testing

/// Whole nodes with every fault at once, judged by the ten invariants of `docs/protocol.md`.
///
/// A failure tells the shortest story that breaks the promise; `moviesyncd simulate --seed N` tells it again.
/// `MOVIESYNC_SIMULATION=400-999` runs those seeds.
struct SimulationTests {
    /// Seeds, in blocks.
    static let blocks: [Range<UInt64>] = {
        let text = ProcessInfo.processInfo.environment["MOVIESYNC_SIMULATION"] ?? "1-4000"
        let bounds = text.split(separator: "-").compactMap { UInt64($0) }
        let (first, last) = (bounds.first ?? 1, bounds.last ?? 1)
        return stride(from: first, through: last, by: 100).map { $0..<min($0 + 100, last + 1) }
    }()

    /// The security rules that are shipped: some of the runs have them.
    static let rules: [UInt8]? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try? [UInt8](Data(contentsOf: root.appending(path: "config/database.rules.json")))
    }()

    @Test(arguments: blocks)
    func `whole nodes keep every promise, whatever goes wrong`(seeds: Range<UInt64>) throws {
        let rules = try #require(Self.rules)
        let tally = Simulation.runAll(seeds.map { .drawn(seed: $0, rules: rules) })
        if let failed = tally.failed { Issue.record("\(Simulation.shrunk(failed).story)") }
        #expect(tally.runs == seeds.count)
    }

    private static func story(
        _ seed: UInt64, steps: Int, _ rules: Bool = true, change: (inout SimulationSettings) -> Void = { _ in }
    ) -> SimulationSettings {
        var settings = SimulationSettings.drawn(seed: seed, rules: rules ? Self.rules : nil)
        (settings.steps, settings.takesBack, settings.verifies) = (steps, false, false)
        change(&settings)
        return settings
    }

    private static func keyed(_ settings: inout SimulationSettings) {
        settings.areKeyed = true
        (settings.pull, settings.writeGuard, settings.rules) = (.full, .etag, nil)
    }

    @Test(arguments: [
        // A fenced node writes a delete below the horizon before it has compared the keys.
        story(7_000_028, steps: 200) { $0.pull = .incremental },
        story(7_000_009, steps: 120, false) { $0.faults = [.restored] },
        // Two updates of a record that is gone, read again from a journal of unknown time.
        story(7_000_002, steps: 200) { $0.pull = .incremental },
        // A delete that was not sent, and is read again without its time.
        story(880_002, steps: 400),
        // A tombstone that ends while its record is read.
        story(7_000_326, steps: 200) { $0.pull = .incremental },
        // The upper-case key of a record of which only the lower-case one was known, and both in one go.
        story(97_300_037, steps: 200),
        // An app's delete while a node does not know whether its own write was carried out.
        story(97_200_113, steps: 200, false, change: keyed),
        // A delete over what an app wrote, which a restored node dates anew with all that stands there.
        story(32_900_222, steps: 200, false) {
            $0.pull = .full
            Self.keyed(&$0)
        },
        // An app's delete, while a node has edited an older version, and waits for a person, or reads its journal again.
        story(32_500_284, steps: 200) { ($0.nodes, $0.apps) = (2, 1) },
        // A line that claims an earlier time gets a stamp under which an app's value has lost already.
        story(98_000_025, steps: 200) { ($0.nodes, $0.apps) = (3, 2) },
        // A delete of what an app had changed, which another node dates later, before it is read on the one that deletes.
        story(98_100_005, steps: 200) { ($0.nodes, $0.apps) = (2, 1) },
        // A member's removal that is read long after a later delete, and a node that knew of neither brings the record back.
        story(82_300_127, steps: 200) { ($0.nodes, $0.apps, $0.pull) = (3, 2, .incremental) },
        // An app's delete of what it had written over an older version that was put over a newer one.
        story(9_800_158, steps: 200, false, change: keyed),
    ])
    func `stories that once broke a promise`(settings: SimulationSettings) {
        let outcome = Simulation.run(settings)
        #expect(outcome.violations.isEmpty)
    }

    @Test func `one seed is one run`() {
        var settings = SimulationSettings.drawn(seed: 14)
        settings.steps = 60
        let first = Simulation.run(settings, tracing: true)
        #expect(first.trace == Simulation.run(settings, tracing: true).trace)
        #expect(first.trace.count > 100)
    }
}
