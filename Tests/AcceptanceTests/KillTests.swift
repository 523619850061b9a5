import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Programs killed at random moments, again and again; `MOVIESYNC_KILLS` repeats the moments of a seed.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct KillTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000" + String(10_000 + number) }

    /// What a round appends: new films, an edit of each third one of the round before, a delete of each seventh.
    private static func lines(_ round: Int, films: Int) -> [String] {
        var lines = (0..<films).map { number in
            #"{"op":"create","id":"\#(id(round * films + number))","fields":{"title":"F","hasWatched":false}}"# + "\n"
        }
        guard round > 0 else { return lines }
        for number in 0..<films {
            let id = id((round - 1) * films + number)
            if number % 7 == 0 {
                lines.append(#"{"op":"delete","id":"\#(id)"}"# + "\n")
            } else if number % 3 == 0 {
                lines.append(#"{"op":"update","id":"\#(id)","fields":{"hasWatched":true}}"# + "\n")
            }
        }
        return lines
    }

    private static func expected(rounds: Int, films: Int) -> [String: [String: JSONValue]] {
        var expected: [String: [String: JSONValue]] = [:]
        for round in 0..<rounds {
            for number in 0..<films {
                let isOld = round < rounds - 1
                if isOld, number % 7 == 0 { continue }
                expected[id(round * films + number)] = [
                    "title": "F", "hasWatched": .bool(isOld && number % 3 == 0),
                ]
            }
        }
        return expected
    }

    private static let seed = ProcessInfo.processInfo.environment["MOVIESYNC_KILLS"].flatMap { UInt64($0) }

    /// Waits for an event that is sure to come once `creates` new films have been appended after `before`.
    private func moment(
        _ random: inout SeededRandom, of node: Node, _ proxy: FaultyProxy, before: (change: Int64, requests: Int),
        creates: Int
    ) async throws {
        switch random.below(4) {
        case 0: break
        case 1:
            let change = before.change + 1 + Int64(random.below(creates))
            try await node.until("change \(change)") { $0.lastChange >= change }
        case 2:
            // Killed again and again, the hub may not be asked for up to a minute.
            _ = try await node.control("POST", "/v1/sync")
            try await proxy.until("a request", after: before.requests) { $0.method == "PATCH" || $0.method == "PUT" }
        default: try await node.settled()
        }
    }

    private func rotate(_ journal: FilePath, _ round: Int) throws {
        try FileManager.default.moveItem(atPath: journal.string, toPath: "\(journal).\(round)")
    }

    @Test(arguments: [true, false], [seed ?? .random(in: 0..<1_000_000)])
    func `a kill loses nothing and doubles nothing`(_ killsNode: Bool, seed: UInt64) async throws {
        var random = SeededRandom(seed)
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            let (a, b) = (try await site.node("a", proxy.url), try await site.node("b", hub.url))
            let (rounds, films) = (25, 100)
            for round in 0..<rounds {
                let lines = Self.lines(round, films: films)
                let before = (change: try await a.status().lastChange, requests: proxy.requests.count)
                try a.append(lines.prefix(lines.count / 2).joined())
                try await moment(&random, of: a, proxy, before: before, creates: lines.count / 2)
                // Every fifth time the journal is rotated away, by turns before and after the kill.
                if round % 10 == 4 { try rotate(a.journal, round) }
                if killsNode { try await a.kill() } else { try await hub.kill() }
                if round % 10 == 9 { try rotate(a.journal, round) }
                try a.append(lines.dropFirst(lines.count / 2).joined())
                if killsNode { try await a.start() } else { try await hub.start() }
            }
            let expected = Self.expected(rounds: rounds, films: films)
            let read = try await a.settled(within: .seconds(40))
            #expect(read.journal.offset == read.journal.size)
            try await b.until("all films", within: .seconds(40)) { $0.collections["movies"]?.records == expected.count }
            try await site.untilEqual([a, b], hub, count: expected.count, within: .seconds(40))
            #expect(try await a.records() == expected)
            for node in [a, b] {
                try expectWholeFeed(node, last: try await node.status().lastChange, library: expected)
                let status = try await node.status()
                #expect(status.holds.isEmpty)
                #expect(status.collections["movies"]?.conflicts == 0)
                #expect(status.collections["movies"]?.quarantined == 0)
            }
        }
    }

    /// The feed counts 1, 2, 3, … and leads to the library.
    private func expectWholeFeed(_ node: Node, last: Int64, library: [String: [String: JSONValue]]) throws {
        var folded: [String: [String: JSONValue]] = [:]
        var next: Int64 = 1
        for line in Site.text(of: node.state.appending("changes.jsonl")).split(separator: "\n") {
            let change = try ControlJSON.read(ChangeReply.self, from: Data(line.utf8))
            #expect(change.seq == next)
            next = change.seq + 1
            folded[change.id] = change.op == "delete" ? nil : change.fields
        }
        #expect(next == last + 1)
        #expect(folded == library)
    }
}
