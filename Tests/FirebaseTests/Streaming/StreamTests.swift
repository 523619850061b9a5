import Firebase
import NIOCore
import PluginKit
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct StreamTests {
    static let alien = RemoteEntry(
        key: key, value: .record(fields: ["title": "Alien ü🎬"], stamps: RemoteStamps(stamp)), serverTime: 17)
    static let alienText = #"{"title":"Alien ü🎬","_v":"\#(stampText)","_t":17}"#

    /// What a stream that sends `text` and then closes is understood as, and how it ends.
    private func heard(
        _ text: String, bytewise: Bool = false, in keyspace: Keyspace = movies
    ) async throws -> (events: [RemoteEvent], end: RemoteError) {
        var events: [RemoteEvent] = []
        var end: RemoteError?
        try await withScript { _, line in
            try await line.beginStream()
            if bytewise {
                for byte in text.utf8 { try await line.outbound.write(.init(bytes: [byte])) }
            } else {
                try await line.send(text)
            }
            throw ScriptedServer.HangUp()
        } _: { remote, _ in
            try await withListener(remote, to: keyspace) { listening in
                do {
                    while true { events.append(try await listening.next()) }
                } catch let error as RemoteError {
                    end = error
                }
            }
        }
        return (events, try #require(end))
    }

    static func put(_ path: String, _ data: String) -> String {
        "event: put\ndata: {\"path\":\"\(path)\",\"data\":\(data)}\n\n"
    }

    static let empty: [RemoteEvent] = [.snapshotBegan, .snapshotEnded(entries: 0)]

    static func changed(_ key: String, _ value: RemoteValue) -> RemoteEvent { .changed(.init(key: key, value: value)) }

    static let afterSnapshot: [(String, [RemoteEvent])] = [
        (put("/\(key)", alienText), [.changed(alien)]),
        (put("/A", "null"), [changed("A", .absent)]),
        (put("/A", #"{"t":1}"#), [changed("A", .record(fields: ["t": 1], stamps: nil))]),
        (put("/A/title", #""x""#), [.touched(key: "A")]),
        (put("/A/title", "null"), [.touched(key: "A")]),
        (put("/", "null"), empty),
        (
            "event: patch\ndata: {\"path\":\"/\",\"data\":{\"A\":{\"t\":1},\"B\":null,\"C/t\":2,\"/D/t\":null}}\n\n",
            [
                changed("A", .record(fields: ["t": 1], stamps: nil)), .touched(key: "C"), .touched(key: "D"),
                changed("B", .absent),
            ]
        ),
        ("event: patch\ndata: {\"path\":\"/A\",\"data\":{\"title\":\"x\",\"year\":null}}\n\n", [.touched(key: "A")]),
        ("event: patch\ndata: {\"path\":\"/A/b\",\"data\":{\"c\":1}}\n\n", [.touched(key: "A")]),
        (
            "event: patch\ndata: {\"path\":\"/\",\"data\":[null,{\"t\":1}]}\n\n",
            [.touched(key: "0"), changed("1", .record(fields: ["t": 1], stamps: nil))]
        ),
        ("event: patch\ndata: {\"path\":\"/\",\"data\":null}\n\n", []),
        ("event: keep-alive\ndata: null\n\n", []),
        ("event: news\ndata: anything\n\n: comment\n\n", []),
    ]

    @Test(arguments: afterSnapshot)
    func `an event is what it says about the keyspace`(text: String, expected: [RemoteEvent]) async throws {
        let heard = try await heard(Self.put("/", "null") + text)
        #expect(heard.events == Self.empty + expected)
        #expect(heard.end.code == .streamEnded)
    }

    static let snapshots: [(String, [RemoteEvent])] = [
        ("null", empty), ("{}", empty),
        (
            #"{"\#(key)":\#(alienText),"B":7}"#,
            [
                .snapshotBegan, .snapshotEntry(alien),
                .snapshotEntry(
                    .init(
                        key: "B",
                        value: .unreadable(.init(.unreadableRecord, "the body is a number: a record is an object")))),
                .snapshotEnded(entries: 2),
            ]
        ),
        (
            #"[null,{"t":1},null]"#,
            [
                .snapshotBegan, .snapshotEntry(.init(key: "1", value: .record(fields: ["t": 1], stamps: nil))),
                .snapshotEnded(entries: 1),
            ]
        ),
        (
            "7",
            [
                .snapshotBegan,
                .snapshotEntry(
                    .init(
                        key: "",
                        value: .unreadable(.init(.unreadableRecord, "the body is a number: a record is an object")))),
                .snapshotEnded(entries: 1),
            ]
        ),
    ]

    @Test(arguments: snapshots, [false, true])
    func `a put at the root is a snapshot`(snapshot: (String, [RemoteEvent]), bytewise: Bool) async throws {
        let heard = try await heard(Self.put("/", snapshot.0), bytewise: bytewise)
        #expect(heard.events == snapshot.1)
    }

    @Test func `what one patch removes is told together`() async throws {
        let members = (0..<2_000).map { $0 < 1_300 ? #""k\#($0)":null"# : #""k\#($0)":{"t":1}"# }
        let text = members.joined(separator: ",")
        try await withScript { _, line in
            try await line.beginStream()
            try await line.send(Self.put("/", "null") + "event: patch\ndata: {\"path\":\"/\",\"data\":{")
            for start in stride(from: 0, to: text.utf8.count, by: 700) {
                try await line.outbound.write(.init(bytes: Array(text.utf8.dropFirst(start).prefix(700))))
            }
            try await line.send("}}\n\n")
            await line.staySilent()
        } _: { remote, _ in
            try await withListener(remote) { listening in
                let events = try await listening.next(2_002)
                let removals = events.suffix(1_300).filter { event in
                    if case .changed(let entry) = event { entry.value == .absent } else { false }
                }
                #expect(removals.count == 1_300)
                #expect(try #require(listening.batches.last) >= 1_300)
            }
        }
    }

    @Test func `tombstones are listened to below the metadata`() async throws {
        try await withScript { _, line in
            try await line.beginStream()
            try await line.send(Self.put("/", #"{"\#(key)":{"_v":"\#(stampText)"}}"#))
            await line.staySilent()
        } _: { remote, server in
            try await withListener(remote, to: tombstones) { listening in
                let entry = RemoteEntry(key: key, value: .tombstone(stamp: stamp, ended: nil))
                let events = try await listening.next(3)
                #expect(events == [.snapshotBegan, .snapshotEntry(entry), .snapshotEnded(entries: 1)])
                #expect(server.requests.map(\.target) == ["/moviesync/tombstones/movies.json"])
                #expect(server.requests.first?.header("Accept") == ["text/event-stream"])
            }
        }
    }

    @Test func `a cursor asks for what came since`() async throws {
        try await withScript { _, line in
            try await line.beginStream()
            try await line.send(Self.put("/", "null"))
            await line.staySilent()
        } _: { remote, server in
            try await withListener(remote, after: 17) { listening in
                _ = try await listening.next(2)
                #expect(server.requests.first?.query == ["orderBy=%22_t%22", "startAt=17"])
            }
        }
    }

    @Test(arguments: [
        ("event: cancel\ndata: null\n\n", RemoteError.Code.stopped),
        ("event: cancel\ndata: \"Permission denied.\"\n\n", .denied),
        ("event: cancel\ndata: Permission denied\n\n", .denied),
        ("event: cancel\ndata: The specified payload is too large\n\n", .stopped),
        ("event: auth_revoked\ndata: credential is no longer valid\n\n", .tokenEnded),
        ("event: put\ndata: not JSON\n\n", .streamEnded), ("event: put\ndata: {\"path\":\"/\"", .streamEnded),
        ("", .streamEnded),
    ])
    func `an end has a reason`(text: String, code: RemoteError.Code) async throws {
        let heard = try await heard(Self.put("/", "null") + text)
        #expect(heard.events == Self.empty)
        #expect(heard.end.code == code)
    }

    @Test func `a stream that does not begin with a snapshot is no use`() async throws {
        let heard = try await heard(Self.put("/A", "null"))
        #expect(heard.events == [])
        #expect(heard.end.code == .streamEnded)
    }

    @Test func `a silent stream is dead`() async throws {
        try await withScript(adjusting: { $0.timeouts.silentStream = .seconds(3) }) { _, line in
            try await line.beginStream()
            try await line.send(Self.put("/", "null"))
            await line.staySilent()
        } _: { remote, _ in
            try await withListener(remote) { listening in
                _ = try await listening.next(2)
                let end = try await listening.end()
                #expect(end.code == .streamEnded)
                #expect(end.message.contains("no byte"))
            }
        }
    }

    @Test(arguments: [
        (401, #"{"error":"Permission denied"}"#, RemoteError.Code.denied), (404, "", .stopped), (503, "", .unavailable),
        (200, "{}", .streamEnded),
    ])
    func `a stream that does not open says why`(status: Int, body: String, code: RemoteError.Code) async throws {
        try await withScript { _, line in
            try await line.reply(status, [:], body)
        } _: { remote, _ in
            let error = try await remoteError { try await remote.listen(to: movies, after: nil) { _ in } }
            #expect(error.code == code)
        }
    }

    @Test func `a handler gets at most 500 events at once, all in order`() async throws {
        let children = (0..<2000).map { #""k\#($0)":{}"# }.joined(separator: ",")
        try await withScript { _, line in
            try await line.beginStream()
            try await line.send(Self.put("/", "{\(children)}"))
            await line.staySilent()
        } _: { remote, _ in
            try await withListener(remote) { listening in
                let events = try await listening.next(2002)
                let keys = events.compactMap { if case .snapshotEntry(let entry) = $0 { entry.key } else { nil } }
                #expect(keys == (0..<2000).map { "k\($0)" })
                #expect(events.last == .snapshotEnded(entries: 2000))
                #expect(listening.batches.allSatisfy { $0 <= 500 })
            }
        }
    }

    @Test func `what the handler throws ends the listener`() async throws {
        struct Full: Error {}
        try await withScript { _, line in
            try await line.beginStream()
            try await line.send(Self.put("/", "null"))
            await line.staySilent()
        } _: { remote, _ in
            await #expect(throws: Full.self) { try await remote.listen(to: movies, after: nil) { _ in throw Full() } }
        }
    }

    @Test func `a stream starts from the canonical address each time`() async throws {
        try await withServer { _, line in
            try await line.beginStream()
            try await line.send(Self.put("/", "null"))
            throw ScriptedServer.HangUp()
        } _: { shard in
            try await withScript { _, line in
                try await line.reply(307, ["Location": "\(shard.url)/movies.json?sse=true"], "")
            } _: { remote, server in
                for round in 1...2 {
                    let end = try await remoteError { try await remote.listen(to: movies, after: nil) { _ in } }
                    #expect(end.code == .streamEnded)
                    #expect(server.requests.count == round)
                    #expect(shard.requests.count == round)
                }
                #expect(shard.requests.first?.header("Accept") == ["text/event-stream"])
            }
        }
    }
}
