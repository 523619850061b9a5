import Foundation
import TestSupport
import Testing

/// Every reader of foreign bytes: no crash, no hang, bounded memory, errors of one line, and what is written reads the
/// same again.
///
/// `make fuzz` runs each target for a minute. `FUZZ_SEED` repeats a run.
@Suite(.inTurn) struct FuzzTests {
    private static let names = FuzzTarget.all.map(\.name)
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["FUZZ_SECONDS"].flatMap { Int($0) }
    private static let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    private static let chosen = environment["FUZZ_TARGET"].map { [$0] } ?? names

    private func target(_ name: String) throws -> FuzzTarget {
        try #require(FuzzTarget.named(name), "the targets are \(FuzzTests.names)")
    }

    /// What was ever found: `Corpus/TARGET/…`.
    private func corpus(_ name: String) -> [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus/\(name)")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }.compactMap { try? Array(Data(contentsOf: $0)) }
    }

    @Test(.timeLimit(.minutes(1)), arguments: names)
    func `what was found once is found no more`(_ name: String) async throws {
        let target = try target(name)
        let run = try FuzzRun(target, seed: 0)
        try await run.replay(target.seeds.map { Array($0.utf8) } + corpus(name))
    }

    @Test(.timeLimit(.minutes(1)), .disabled(if: seconds != nil), arguments: names)
    func `a short run finds nothing`(_ name: String) async throws {
        let target = try target(name)
        let run = try FuzzRun(target, seed: FuzzTests.seed)
        let (tried, taken) = try await run.run(.turns(target.turns), corpus: corpus(name))
        #expect(tried == target.turns)
        #expect(taken > 0, "no input was taken: the run is worth nothing")
    }

    @Test(.enabled(if: seconds != nil), arguments: chosen)
    func `a long run finds nothing`(_ name: String) async throws {
        let run = try FuzzRun(try target(name), seed: FuzzTests.seed)
        let (tried, taken) = try await run.run(.seconds(FuzzTests.seconds ?? 0), corpus: corpus(name))
        print("fuzz: \(name), seed \(FuzzTests.seed): \(tried) inputs, \(taken) of them taken")
    }
}
