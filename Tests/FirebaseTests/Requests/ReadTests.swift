import Firebase
import PluginKit
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct ReadTests {
    private func read(_ body: String, in keyspace: Keyspace = movies) async throws -> RemoteEntry {
        var entry: RemoteEntry?
        try await withScript { _, line in
            try await line.reply(200, ["ETag": "e="], body)
        } _: { remote, _ in
            entry = try await remote.read(key, in: keyspace)
        }
        return try #require(entry)
    }

    static let records: [(String, RemoteValue, UInt64?)] = [
        (
            #"{"title":"Ü🎬","_v":"\#(stampText)","_t":1700000000000}"#,
            .record(fields: ["title": "Ü🎬"], stamps: RemoteStamps(stamp)), 1_700_000_000_000
        ),
        (
            #"{"identifier":"\#(key)","_v":"no stamp","_t":-1}"#,
            .record(fields: ["identifier": .string(key)], stamps: nil), nil
        ),
        (#"{"title":"x","_v":7,"_t":"late"}"#, .record(fields: ["title": "x"], stamps: nil), nil),
        ("{}", .record(fields: [:], stamps: nil), nil),
    ]

    @Test(arguments: records)
    func `a node is a record with its stamp and time beside it`(
        body: String, value: RemoteValue, time: UInt64?
    ) async throws {
        let entry = try await read(body)
        #expect(entry == RemoteEntry(key: key, value: value, serverTime: time, etag: "e="))
    }

    static let nothing: [(String, String?)] = [
        ("null_etag", "null_etag"), ("e=", nil), (#"W/"4-K+iMpCQsduglOsYkdIUQZQMtaDM""#, nil), ("", nil),
    ]

    @Test(arguments: nothing)
    func `nothing has the ETag of nothing, and no other counts`(sent: String, counted: String?) async throws {
        let headers = sent.isEmpty ? [:] : ["ETag": sent]
        try await withScript { request, line in
            try await line.reply(request.method == "GET" ? 200 : 412, headers, "null")
        } _: { remote, _ in
            let nothing = RemoteEntry(key: key, value: .absent, etag: counted)
            let read = try await remote.read(key, in: movies)
            #expect(read == nothing)
            let write = try await remote.write(film("Alien"), in: movies, if: .matches(etag: "old="))
            #expect(write == .conflict(nothing))
            let horizon = try await remote.horizon(of: "movies")
            #expect(horizon == RemoteHorizon(stamp: nil, etag: counted))
        }
    }

    @Test(arguments: ["7", "true", #""text""#, "[1,2]", "[null,{}]", #"{"n":1e999}"#])
    func `what can't be a record is unreadable`(body: String) async throws {
        let entry = try await read(body)
        let defect = try #require(entry.defect)
        #expect(defect.code == .unreadableRecord)
        #expect(!defect.message.isEmpty)
        #expect(entry.etag == "e=")
    }

    @Test func `a node over 1 MiB is unreadable`() async throws {
        let entry = try await read(#"{"t":""# + String(repeating: "x", count: 1 << 20) + #""}"#)
        let defect = try #require(entry.defect)
        #expect(defect.message.contains("1 MiB"))
    }

    @Test func `a tombstone has a stamp and a hash`() async throws {
        let digits = String(repeating: "0f", count: 32)
        let entry = try await read(#"{"_v":"\#(stampText)","_h":"\#(digits)","_t":5}"#, in: tombstones)
        #expect(entry.value == .tombstone(stamp: stamp, ended: ContentHash(digits)))
        #expect(entry.serverTime == 5)
    }

    @Test(arguments: [#"{"_h":"00"}"#, #"{"_v":"x"}"#, "7"])
    func `a tombstone without a stamp is unreadable`(body: String) async throws {
        let entry = try await read(body, in: tombstones)
        #expect(entry.defect?.code == .unreadableRecord)
    }

    @Test func `keys and paths are percent-encoded`() async throws {
        try await withScript(adjusting: {
            $0.bases["movies"] = "/my films/ü/"
            $0.namespace = "db 1"
        }) { _, line in
            try await line.reply(200, ["ETag": "null_etag"], "null")
        } _: { remote, server in
            let entry = try await remote.read("a?b#", in: movies)
            #expect(entry == RemoteEntry(key: "a?b#", value: .absent, etag: "null_etag"))
            #expect(server.requests.map(\.target) == ["/my%20films/%C3%BC/a%3Fb%23.json?ns=db%201"])
            #expect(server.requests.first?.header("X-Firebase-ETag") == ["true"])
        }
    }

    static let pages: [(String, [RemoteEntry])] = [
        (
            #"{"B":{"t":2},"A":{"t":1}}"#,
            [
                .init(key: "A", value: .record(fields: ["t": 1], stamps: nil)),
                .init(key: "B", value: .record(fields: ["t": 2], stamps: nil)),
            ]
        ),
        (
            #"[null,{"t":1},null,{"t":3}]"#,
            [
                .init(key: "1", value: .record(fields: ["t": 1], stamps: nil)),
                .init(key: "3", value: .record(fields: ["t": 3], stamps: nil)),
            ]
        ),
        (
            #"{"a":{},"10":{},"9":{},"-1":{}}"#,
            ["-1", "9", "10", "a"].map { RemoteEntry(key: $0, value: .record(fields: [:], stamps: nil)) }
        ),
        ("null", []), ("{}", []), ("7", []),
    ]

    @Test(arguments: pages)
    func `a page is in key order, whatever its shape`(body: String, expected: [RemoteEntry]) async throws {
        try await withScript { _, line in
            try await line.reply(200, [:], body)
        } _: { remote, server in
            let found = try await remote.readRange(from: "A\"", through: nil, limit: 500, in: movies)
            #expect(found == RemotePage(entries: expected))
            #expect(
                server.requests.first?.query == [
                    "orderBy=%22%24key%22", "limitToFirst=501", "startAt=%22A%5C%22%22",
                ])
        }
    }

    @Test func `a page says where the next one starts`() async throws {
        try await withScript { _, line in
            try await line.reply(200, [:], #"{"A":{"t":1},"B":{"t":2},"C":{"t":3}}"#)
        } _: { remote, _ in
            let page = try await remote.readRange(from: nil, through: nil, limit: 2, in: movies)
            #expect(page.entries.map(\.key) == ["A", "B"])
            #expect(page.next == "C")
        }
    }

    @Test func `one entry that can't be read costs no other`() async throws {
        try await withScript { _, line in
            try await line.reply(200, [:], #"{"A":{"n":99999999999999999999999},"B":{"t":1}}"#)
        } _: { remote, _ in
            let entries = try await remote.readRange(from: nil, through: "Z", limit: 2, in: movies).entries
            #expect(entries.map(\.key) == ["A", "B"])
            #expect(entries.last?.value == .record(fields: ["t": 1], stamps: nil))
        }
    }

    @Test(arguments: [
        (#"{"B":true,"A":true}"#, ["A", "B"]), ("[null,true]", ["1"]), ("null", []), ("true", []),
    ])
    func `keys come without values`(body: String, expected: [String]) async throws {
        try await withScript(adjusting: { $0.bases["movies"] = "" }) { _, line in
            try await line.reply(200, [:], body)
        } _: { remote, server in
            let found = try await remote.keys(in: movies)
            #expect(found == expected)
            #expect(server.requests.map(\.target) == ["/.json?shallow=true"])
        }
    }

    @Test func `without metadata there are no tombstones`() async throws {
        try await withScript(adjusting: { $0.meta = nil }) { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, server in
            #expect(!remote.keepsTombstones)
            let error = try await remoteError { _ = try await remote.read(key, in: tombstones) }
            #expect(error.code == .refused)
            #expect(server.requests.isEmpty)
        }
    }
}
