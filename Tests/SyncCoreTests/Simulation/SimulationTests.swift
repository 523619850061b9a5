import Foundation
import SyncCore
import TestSupport
import Testing

/// Many random lives of one record, with every fault at once; see ``SimulatedWorld``.
///
/// A failure names its seed; `MOVIESYNC_SIMULATION=nodes:4711` (or `app:4711`) tells that run's story.
struct SimulationTests {
    static let blocks = 0..<8
    static let runsOfBlock: UInt64 = 200

    private static func seeds(of block: Int) -> Range<UInt64> {
        let first = UInt64(block) * runsOfBlock
        return first..<first + runsOfBlock
    }

    @Test(.inTurn, .timeLimit(.minutes(1)), arguments: blocks)
    func `nodes alone always become equal and lose nothing`(block: Int) {
        for seed in Self.seeds(of: block) {
            let broken = SimulatedWorld.run(.init(seed: seed, app: false)).broken
            #expect(broken.isEmpty, "seed nodes:\(seed): \(broken.first?.description ?? "")")
        }
    }

    /// What an app without stamps deletes between a write whose answer was lost and the next read may come back, and
    /// an edit may lose to what it wrote: the residue that `docs/protocol.md` section 9 names. Never inequality.
    @Test(.inTurn, .timeLimit(.minutes(1)), arguments: blocks)
    func `with an app all become equal, and next to nothing is lost`(block: Int) {
        var residue: [String] = []
        for seed in Self.seeds(of: block) {
            for promise in SimulatedWorld.run(.init(seed: seed, app: true)).broken {
                if promise.kind == .editLost {
                    residue.append("app:\(seed)")
                } else {
                    Issue.record("seed app:\(seed): \(promise)")
                }
            }
        }
        #expect(Set(residue).count <= 2, "of \(Self.runsOfBlock): \(residue)")
    }

    @Test(.enabled(if: SingleRun.wanted != nil))
    func `the run that was asked for`() throws {
        let scenario = try #require(SingleRun.wanted)
        let (broken, log) = SimulatedWorld.$tells.withValue(true) { SimulatedWorld.run(scenario) }
        #expect(broken.isEmpty, "\(log.joined(separator: "\n"))\n\(broken)")
    }
}

/// The run that the environment names.
enum SingleRun {
    static var wanted: SimulatedWorld.Scenario? {
        guard let text = ProcessInfo.processInfo.environment["MOVIESYNC_SIMULATION"] else { return nil }
        let parts = text.split(separator: ":")
        guard parts.count == 2, let seed = UInt64(parts[1]) else { return nil }
        return .init(seed: seed, app: parts[0] == "app")
    }
}
