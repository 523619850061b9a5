import FirebaseWire
import SecurityRules
import TestSupport
import Testing

@testable import DatabaseServer

struct RecentWritesTests {
    private let path = WirePath([WireKey(unchecked: "a")])

    /// A trace that has looked at everything or at nothing is enough here.
    @Test func `a judgement holds until something it rests on is written`() throws {
        var recent = RecentWrites()
        let trace = ReadTrace()
        let judgement = Judgement(seen: recent.beginJudging(), version: 0, trace: trace)
        recent.append([path], "")
        #expect(recent.confirm(judgement, ""))
        let early = Judgement(seen: -1, version: 0, trace: trace)
        #expect(!recent.confirm(early, ""))
    }

    @Test func `what is on its way to the disk when judging begins counts as written after that`() throws {
        var recent = RecentWrites()
        recent.begin([(try LooseQueue.write(.patch, "/a", #"{"b":1,"c":2}"#), .told { _ in })])
        let seen = recent.beginJudging()
        recent.endJudging()
        #expect(recent.written(since: recent.beginJudging(), in: "db") == [])
        recent.publish()
        #expect(recent.written(since: seen, in: "db")?.map(\.text) == ["a/b", "a/c"])
        recent.endJudging()
        // Somebody judges as they begin, and nobody while they are applied.
        _ = recent.beginJudging()
        recent.begin([(try LooseQueue.write(.put, "/a", "1"), .told { _ in })])
        recent.endJudging()
        recent.append([path], "db")
        let meanwhile = recent.beginJudging()
        recent.publish()
        #expect(recent.written(since: meanwhile, in: "db")?.map(\.text) == ["a"])
        recent.endJudging()
        recent.begin([(try LooseQueue.write(.put, "/a", "1"), .told { _ in })])
        recent.giveUp()
        let later = recent.beginJudging()
        recent.publish()
        #expect(recent.written(since: later, in: "db") == [])
    }

    @Test func `what nobody waits for is forgotten, and what readers see is counted`() {
        var recent = RecentWrites()
        let first = recent.beginJudging()
        recent.append([path, path], "")
        #expect(recent.published == first)
        recent.publish()
        let second = recent.beginJudging()
        #expect(second == first + 2)
        recent.endJudging()
        recent.endJudging()
        #expect(!recent.confirm(Judgement(seen: first, version: 0, trace: ReadTrace()), ""))
        #expect(recent.confirm(Judgement(seen: second, version: 0, trace: ReadTrace()), ""))
    }
}

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct JudgedWriteTests {
    private static let rules = """
        {"rules":{"l":{".read":true,"$id":{".write":"newData.parent().parent().child('gate').val() == 'open'",
        ".validate":"newData.child('at').val() == now"}},"gate":{".write":true}}}
        """

    private static func patch(_ count: Int) -> String {
        let records = (0..<count).map { #""r\#($0)":{"at":{".sv":"timestamp"},"text":"\#($0)"}"# }
        return "{\(records.joined(separator: ","))}"
    }

    @Test func `a large write obeys the rules of the moment it is done`() async throws {
        try await withServer { client in
            try await Step("PUT /.settings/rules.json", Self.rules).perform(client)
            let large = Self.patch(2000)
            try await Step("PATCH /l.json?print=silent", large, [:], 401).perform(client)
            try await Step("PUT /gate.json", #""open""#).perform(client)
            try await Step("PATCH /l.json?print=silent", large, [:], 204).perform(client)
            let answer = try await client.send("GET", "/l/r1999/at.json")
            #expect(Int64(answer.body) ?? 0 > 1_000_000_000_000)
            // Others close and open the gate meanwhile; each write happens as a whole or not at all.
            for round in 0..<6 {
                async let gate = client.send("PUT", "/gate.json", round.isMultiple(of: 2) ? #""shut""# : #""open""#)
                async let answer = client.send("PATCH", "/l.json?print=silent", large)
                let (status, _) = try await (answer.status, gate)
                #expect(status == 204 || status == 401)
            }
        }
    }
}
