import Foundation
import Simulation
import Testing

/// Whole nodes with every fault at once, judged by the ten invariants of `docs/protocol.md`.
///
/// A failure tells the shortest story that breaks the promise; `moviesyncd simulate --seed N` tells it again.
/// `MOVIESYNC_SIMULATION=400-999` runs those seeds.
struct SimulationTests {
    /// Seeds, in blocks that are run one after the other.
    static let blocks: [Range<UInt64>] = {
        let text = ProcessInfo.processInfo.environment["MOVIESYNC_SIMULATION"] ?? "101-160"
        let bounds = text.split(separator: "-").compactMap { UInt64($0) }
        let (first, last) = (bounds.first ?? 1, bounds.last ?? 1)
        return stride(from: first, through: last, by: 20).map { $0..<min($0 + 20, last + 1) }
    }()

    @Test(arguments: blocks)
    func `whole nodes keep every promise, whatever goes wrong`(seeds: Range<UInt64>) {
        let tally = Simulation.runAll(seeds.map { .drawn(seed: $0) })
        if let failed = tally.failed { Issue.record("\(Simulation.shrunk(failed).story)") }
        #expect(tally.runs == seeds.count)
    }

    @Test func `one seed is one run`() {
        let settings = SimulationSettings.drawn(seed: 14)
        let first = Simulation.run(settings, tracing: true)
        #expect(first.trace == Simulation.run(settings, tracing: true).trace)
        #expect(first.trace.count > 100)
    }
}
