import ArgumentParser
import FoundationEssentials
import Simulation
import SystemPackage
import TestSupport
import Testing

@testable import Daemon

@Suite(.inTurn, .timeLimit(.minutes(1))) struct SimulateTests {
    private func command(_ words: [String]) throws -> SimulateCommand {
        try #require(try MoviesyncdCommand.parseAsRoot(["simulate"] + words) as? SimulateCommand)
    }

    @Test(arguments: [
        "", "--faults lost,cut", "--faults none --pull incremental", "--merge record --keys fields", "--keys uuids",
        "--rules config/database.rules.json", "--rules config/database.rules.json --pull incremental --steps 200",
        "--rules a'b.json", "--wrong noBackoff --nodes 5 --apps 0",
        "--wrong absenceForgotten", "--wrong windowByWallClock --faults cut",
    ])
    func `a failed run is told with the command that gives it again`(options: String) throws {
        let said = try command(options.split(separator: " ").map(String.init))
        for seed in [7, 7_000_028, UInt64.max] {
            let settings = said.settings(seed, said.rules.map { _ in [0x7B, 0x7D] })
            let words = settings.command.dropFirst(2).map { $0 == "'a'\\''b.json'" ? "a'b.json" : $0 }
            let again = try command(words)
            #expect(again.seed == seed)
            #expect(again.settings(seed, again.rules.map { _ in [0x7B, 0x7D] }) == settings)
        }
    }

    @Test(arguments: SimulatedMutation.allCases)
    func `a rule that is turned wrong is noticed where nothing else is said`(wrong: SimulatedMutation) throws {
        let said = try command(["--wrong", wrong.rawValue])
        #expect((1...200).contains { !Simulation.run(said.settings($0, nil)).violations.isEmpty })
    }

    private static let refusals: [(arguments: [String], words: String)] = [
        (
            ["--seed", "-1"],
            "'-1' is invalid for '--seed <seed>': it is no whole number from 0 to 18446744073709551615"
        ),
        (["--seeds", "0"], "'0' is invalid for '--seeds <seeds>': it is no whole number from 1 to 1000000"),
        (["--nodes", "-1"], "'-1' is invalid for '--nodes <nodes>': it is no whole number from 1 to 100"),
        (["--apps", "101"], "'101' is invalid for '--apps <apps>': it is no whole number from 0 to 100"),
        (["--hours", "nan"], "'nan' is invalid for '--hours <hours>': it is no number from 0 to 100000"),
        (["--hours", "inf"], "'inf' is invalid for '--hours <hours>': it is no number from 0 to 100000"),
        (
            ["--faults", ""],
            "'' is invalid for '--faults <faults>': a word is missing: say all, none, or some of lost, "
        ),
        (["--faults", "lost,"], "'lost,' is invalid for '--faults <faults>': a word is missing: say all, none, "),
        (["--faults", "rain"], "'rain' is invalid for '--faults <faults>': there is no fault rain: say all, none, "),
    ]

    @Test(arguments: refusals)
    func `what can't be simulated is told in one line`(_ arguments: [String], words: String) async throws {
        try await withTemporaryFolder { folder in
            let ended = try await moviesyncd(["simulate"] + arguments, in: folder)
            #expect(ended.code == 64 && ended.output.isEmpty)
            #expect(ended.errors.hasPrefix("moviesyncd: The value \(words)"))
            #expect(ended.errors.count { $0.isNewline } == 1)
        }
    }

    @Test(arguments: [["--seed", "18446744073709551615", "--seeds", "2"], ["--faults", "lost,lost"]])
    func `the last seed is one like all others, and a fault may be named twice`(arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            let ended = try await moviesyncd(["simulate", "--steps", "3"] + arguments, in: folder)
            #expect(ended.code == 0 && ended.output.contains(" runs, 0 failed"))
        }
    }

    @Test(arguments: ["", "root:x:0:0:root:/root:/bin/bash\n", "{\"movies\": {}}"])
    func `rules that are none are refused before anything runs`(text: String) async throws {
        try await withTemporaryFolder { folder in
            try write(text, to: folder.appending("rules.json"))
            let ended = try await moviesyncd(["simulate", "--steps", "3", "--rules", "rules.json"], in: folder)
            #expect(ended.code == 65 && ended.output.isEmpty)
            #expect(ended.errors.hasPrefix("moviesyncd: rules.json:1:"))
            #expect(ended.errors.count { $0.isNewline } == 1)
        }
    }

    @Test func `rules that are not there are a sentence`() async throws {
        try await withTemporaryFolder { folder in
            let ended = try await moviesyncd(["simulate", "--rules", "nowhere.json"], in: folder)
            #expect(ended.code == 74 && ended.output.isEmpty)
            let words = "cannot open nowhere.json: No such file or directory; give another --rules"
            #expect(ended.errors == "moviesyncd: \(words)\n")
        }
    }
}
