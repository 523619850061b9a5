import Foundation
import TestSupport
import Testing

@testable import DatabaseServer

/// Random requests over HTTP to a server and to a naive model, which must agree in every answer, event and tree.
///
/// A failure names its seed; `MOVIESYNC_DIFFERENTIAL=100-199` runs those seeds.
struct DifferentialTests {
    @Test(.inTurn, .timeLimit(.minutes(5)), arguments: [1, 2, 3, 4] as [UInt64])
    func `server, listeners and model agree`(seed: UInt64) async throws {
        try await DifferentialTests.agree(seed)
    }

    @Test(.enabled(if: asked != nil), .inTurn, .timeLimit(.minutes(120)))
    func `they agree for the seeds that were asked for`() async throws {
        for seed in try #require(DifferentialTests.asked) {
            do {
                try await DifferentialTests.agree(seed)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    private static var asked: ClosedRange<UInt64>? {
        let text = ProcessInfo.processInfo.environment["MOVIESYNC_DIFFERENTIAL"] ?? ""
        let ends = text.split(separator: "-").compactMap { UInt64($0) }
        guard let first = ends.first, let last = ends.last, first <= last else { return nil }
        return first...last
    }

    /// Runs one seed, and finds the same trees after a crash and after a clean end.
    private static func agree(_ seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let (crashed, models) = try await withServer(data: folder.path, options: { $0.keepAlive = .milliseconds(500) })
        { client in
            let models = try await client.withOwnConnections { client in
                var run = DifferentialRun(seed: seed, client: client)
                try await run.run(steps: 300)
                return run.models
            }
            return (try copy(folder.path), models)
        }
        for data in [crashed, folder] {
            try await withServer(data: data.path) { client in
                for (database, model) in models {
                    var run = DifferentialRun(seed: seed, client: client)
                    run.models[database] = model
                    try await run.compare(database, [])
                }
            }
        }
    }

    /// The files as a kill at this moment leaves them.
    private static func copy(_ folder: String) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: copy.path + "/" + name)
        }
        return copy
    }
}
