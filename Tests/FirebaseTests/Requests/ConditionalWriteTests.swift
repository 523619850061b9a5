import Firebase
import PluginKit
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct ConditionalWriteTests {
    static let bodyText =
        #"{"_t":{".sv":"timestamp"},"_v":"\#(stampText)","hasWatched":true,"identifier":"\#(key)","title":"Alien"}"#

    @Test(arguments: [(WriteCondition.absent, "null_etag"), (.matches(etag: "abc="), "abc=")])
    func `a write sends its condition and the whole node`(condition: WriteCondition, expected: String) async throws {
        try await withScript { request, line in
            try await line.reply(200, ["ETag": "new="], request.body)
        } _: { remote, server in
            let outcome = try await remote.write(film("Alien"), in: movies, if: condition)
            #expect(outcome == .written(etag: "new="))
            let request = try #require(server.requests.first)
            #expect(request.method == "PUT")
            #expect(request.target == "/movies/\(key).json")
            #expect(request.header("if-match") == [expected])
            #expect(request.header("X-Firebase-ETag") == ["true"])
            #expect(request.header("Authorization") == [])
            #expect(request.body == Self.bodyText)
            #expect(remote.traffic.requests == 1)
            #expect(remote.traffic.bytesSent == Self.bodyText.utf8.count)
            #expect(remote.traffic.bytesReceived == Self.bodyText.utf8.count)
        }
    }

    @Test(arguments: ["{}", #"{"status":"maintenance"}"#, #"{"title":"Alien"}"#, "null", #"{"_v":"of another"}"#])
    func `an answer that does not say what was written leaves the outcome unknown`(body: String) async throws {
        try await withScript { _, line in
            try await line.reply(200, ["ETag": "new="], body)
        } _: { remote, _ in
            let written = try await remoteError { _ = try await remote.write(film("Alien"), in: movies, if: .absent) }
            #expect(written.code == .outcomeUnknown)
            guard body != "null" else { return }
            let removed = try await remoteError { _ = try await remote.remove(key, in: movies, ifMatches: "old=") }
            #expect(removed.code == .outcomeUnknown)
            let raised = try await remoteError {
                _ = try await remote.raiseHorizon(of: "movies", to: stamp, ifMatches: "old=")
            }
            #expect(raised.code == .outcomeUnknown)
        }
    }

    @Test func `a tombstone lies below the metadata`() async throws {
        try await withScript { request, line in
            try await line.reply(200, ["ETag": "new="], request.body)
        } _: { remote, server in
            let hash = ContentHash(bytes: [UInt8](repeating: 7, count: 32))
            let write = RemoteWrite(key: key, body: .tombstone(ended: hash), stamp: stamp)
            _ = try await remote.write(write, in: tombstones, if: .absent)
            let request = try #require(server.requests.first)
            #expect(request.target == "/moviesync/tombstones/movies/\(key).json")
            let digits = String(repeating: "07", count: 32)
            #expect(request.body == #"{"_h":"\#(digits)","_t":{".sv":"timestamp"},"_v":"\#(stampText)"}"#)
        }
    }

    @Test func `a conflict is what the answer says stands there`() async throws {
        try await withScript { _, line in
            try await line.reply(412, ["ETag": "cur="], #"{"title":"Aliens","_v":"\#(stampText)","_t":17}"#)
        } _: { remote, _ in
            let entry = RemoteEntry(
                key: key, value: .record(fields: ["title": "Aliens"], stamps: RemoteStamps(stamp)), serverTime: 17,
                etag: "cur=")
            let outcome2 = try await remote.write(film("Alien"), in: movies, if: .absent)
            #expect(outcome2 == .conflict(entry))
            let outcome3 = try await remote.remove(key, in: movies, ifMatches: "old=")
            #expect(outcome3 == .conflict(entry))
        }
    }

    @Test func `a conflict with nothing there has the ETag of nothing`() async throws {
        try await withScript { _, line in
            try await line.reply(412, ["ETag": "null_etag"], "null")
        } _: { remote, server in
            let entry = RemoteEntry(key: key, value: .absent, etag: "null_etag")
            let outcome4 = try await remote.remove(key, in: movies, ifMatches: "old=")
            #expect(outcome4 == .conflict(entry))
            let request = try #require(server.requests.first)
            #expect(request.method == "DELETE")
            #expect(request.header("if-match") == ["old="])
            #expect(request.query == [])
        }
    }

    @Test(arguments: [
        (#"{"error":"ETag mismatch"}"#, "cur="), ("<html>", "cur="), ("", "cur="), (#"{"title":"Aliens"}"#, ""),
    ])
    func `a conflict that does not show the value is read`(body: String, etag: String) async throws {
        try await withScript { request, line in
            if request.method == "GET" { return try await line.reply(200, ["ETag": "now="], #"{"title":"Now"}"#) }
            try await line.reply(412, etag.isEmpty ? [:] : ["ETag": etag], body)
        } _: { remote, server in
            let entry = RemoteEntry(key: key, value: .record(fields: ["title": "Now"], stamps: nil), etag: "now=")
            let outcome5 = try await remote.write(film("Alien"), in: movies, if: .matches(etag: "old="))
            #expect(outcome5 == .conflict(entry))
            #expect(server.requests.map(\.method) == ["PUT", "GET"])
            #expect(server.requests.last?.header("if-match") == [])
        }
    }

    @Test func `a removal leaves the ETag of nothing`() async throws {
        try await withScript { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, _ in
            let outcome6 = try await remote.remove(key, in: movies, ifMatches: "old=")
            #expect(outcome6 == .written(etag: "null_etag"))
        }
    }

    @Test(arguments: ["", "a/b"])
    func `what can't be a key is refused without a request`(key: String) async throws {
        try await withScript { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, server in
            let outcome7 = try await remoteError { _ = try await remote.read(key, in: movies) }.code
            #expect(outcome7 == .refused)
            let write = film("Alien", key: key)
            let outcome8 = try await remoteError { _ = try await remote.write(write, in: movies, if: .absent) }.code
            #expect(outcome8 == .refused)
            let batch = [BatchElement(keyspace: movies, key: key, write: write)]
            let outcome9 = try await remoteError { try await remote.writeBatch(batch) }.code
            #expect(outcome9 == .refused)
            #expect(server.requests.isEmpty)
        }
    }
}
