import Firebase
import JSONText
import PluginKit
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct BatchTests {
    private static let node = ConditionalWriteTests.bodyText

    private func sent(_ elements: [BatchElement], base: String = "movies") async throws -> ScriptedServer.Request {
        var sent: ScriptedServer.Request?
        try await withScript(adjusting: { $0.bases["movies"] = base }) { _, line in
            try await line.reply(204, [:], "")
        } _: { remote, server in
            try await remote.writeBatch(elements)
            sent = server.requests.first
        }
        return try #require(sent)
    }

    @Test(arguments: [("movies", "/movies.json"), ("", "/.json"), ("/a/b/", "/a/b.json")])
    func `records of one collection are patched at its base`(base: String, path: String) async throws {
        let request = try await sent(
            [
                BatchElement(keyspace: movies, key: key, write: film("Alien")),
                BatchElement(keyspace: movies, key: "B", write: nil),
            ], base: base)
        #expect(request.method == "PATCH")
        #expect(request.target == "\(path)?print=silent")
        #expect(request.header("if-match") == [])
        #expect(request.header("X-Firebase-ETag") == [])
        #expect(request.body == #"{"\#(key)":\#(Self.node),"B":null}"#)
    }

    @Test func `elements of several keyspaces are patched at the root by their paths`() async throws {
        let tombstone = RemoteWrite(key: "B", body: .tombstone(ended: nil), stamp: stamp)
        let request = try await sent([
            BatchElement(keyspace: movies, key: key, write: film("Alien")),
            BatchElement(keyspace: tombstones, key: "B", write: tombstone),
            BatchElement(keyspace: movies, key: "B", write: nil),
        ])
        #expect(request.target == "/.json?print=silent")
        let end = #"{"_t":{".sv":"timestamp"},"_v":"\#(stampText)"}"#
        #expect(
            request.body
                == #"{"movies/\#(key)":\#(Self.node),"moviesync/tombstones/movies/B":\#(end),"movies/B":null}"#)
    }

    @Test func `a record without fields is still JSON`() async throws {
        let write = RemoteWrite(key: "A", body: .record(Content(fields: [:]), identityFields: [:]), stamp: stamp)
        let request = try await sent([BatchElement(keyspace: movies, key: "A", write: write)])
        #expect(request.body == #"{"A":{"_t":{".sv":"timestamp"},"_v":"\#(stampText)"}}"#)
    }

    @Test func `keys and identifying values are escaped`() async throws {
        let content = Content(fields: ["t": "ü\"\n"])
        let body = RemoteWrite.Body.record(content, identityFields: ["identifier": "a\"b"])
        let write = RemoteWrite(key: "k\"ü", body: body, stamp: stamp)
        let request = try await sent([BatchElement(keyspace: movies, key: "k\"ü", write: write)])
        let node = try #require(JSONReader.members(Array(request.body.utf8))["k\"ü"]?.members)
        #expect(node["identifier"] == "a\"b")
        #expect(node["t"] == "ü\"\n")
    }

    @Test func `nothing to write is no request`() async throws {
        try await withScript { _, line in
            try await line.reply(204, [:], "")
        } _: { remote, server in
            try await remote.writeBatch([])
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `who does not know print says what was written`() async throws {
        try await withScript { request, line in
            try await line.reply(200, [:], request.body)
        } _: { remote, _ in
            try await remote.writeBatch([BatchElement(keyspace: movies, key: key, write: film("Alien"))])
        }
    }

    @Test(arguments: [
        "<html>Log in</html>", "", "null", "[]", "true", #""written""#, "{}", #"{"status":"maintenance"}"#,
        #"{"error":"no"}"#,
    ])
    func `an answer that is not the database's leaves the outcome unknown`(body: String) async throws {
        try await withScript { _, line in
            try await line.reply(200, [:], body)
        } _: { remote, _ in
            let elements = [BatchElement(keyspace: movies, key: key, write: film("Alien"))]
            let outcome = try await remoteError { try await remote.writeBatch(elements) }.code
            #expect(outcome == .outcomeUnknown)
        }
    }
}
