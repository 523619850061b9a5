import Firebase
import PluginKit
import SyncModel
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct FailureTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var status: Int
        var headers: [String: String] = [:]
        var body: String
        var code: RemoteError.Code
        var retryAfter: Duration?

        var testDescription: String { "\(status) \(body)" }
    }

    static let answers = [
        Answer(status: 400, body: #"{"error":"Invalid data; couldn't parse"}"#, code: .refused),
        Answer(status: 400, body: #"{"error":"Query timed out"}"#, code: .unavailable),
        Answer(status: 401, body: #"{"error":"Permission denied"}"#, code: .denied),
        Answer(status: 401, body: #"{"error":"Unauthorized request."}"#, code: .unauthorized),
        Answer(status: 402, body: #"{"error":"quota"}"#, code: .stopped),
        Answer(status: 403, body: "<html>forbidden</html>", code: .stopped),
        Answer(status: 404, body: #"{"error":"404 Not Found"}"#, code: .stopped),
        Answer(status: 413, body: "", code: .refused),
        Answer(status: 418, body: "teapot", code: .outcomeUnknown),
        Answer(status: 423, body: #"{"error":"The database has been deactivated."}"#, code: .stopped),
        Answer(status: 429, headers: ["Retry-After": "7"], body: "{}", code: .unavailable, retryAfter: .seconds(7)),
        Answer(status: 500, body: #"{"error":"Internal"}"#, code: .outcomeUnknown),
        Answer(status: 502, body: "", code: .outcomeUnknown),
        Answer(status: 503, headers: ["Retry-After": "120"], body: "", code: .unavailable, retryAfter: .seconds(120)),
        Answer(
            status: 503, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], body: "", code: .unavailable,
            retryAfter: .zero),
        Answer(status: 503, headers: ["Retry-After": "soon"], body: "", code: .unavailable),
        Answer(status: 504, body: "", code: .outcomeUnknown),
        Answer(status: 301, headers: ["Location": "/other"], body: "", code: .outcomeUnknown),
        Answer(status: 200, body: "<html>", code: .outcomeUnknown),
    ]

    @Test(arguments: answers)
    func `an answer's status says what happened`(answer: Answer) async throws {
        try await withScript { _, line in
            try await line.reply(answer.status, answer.headers, answer.body)
        } _: { remote, server in
            let error = try await remoteError { _ = try await remote.write(film("A"), in: movies, if: .absent) }
            #expect(error.code == answer.code)
            #expect(error.retryAfter == answer.retryAfter)
            #expect(!error.message.contains("\n"))
            #expect(answer.status == 200 || error.message.contains("\(answer.status)"))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `the server's own words are in the message`() async throws {
        try await withScript { _, line in
            try await line.reply(400, [:], #"{"error":"Invalid\npath"}"#)
        } _: { remote, server in
            let error = try await remoteError { _ = try await remote.keys(in: movies) }
            #expect(error.message == "\(server.url) answered 400: Invalid path")
        }
    }

    @Test func `a refused connection means that nothing was written`() async throws {
        var url = ""
        try await withServer { _, _ in
        } _: {
            url = $0.url
        }
        try await withRemote(url) { remote in
            let error = try await remoteError { _ = try await remote.write(film("A"), in: movies, if: .absent) }
            #expect(error.code == .unreachable)
        }
    }

    @Test func `a name that does not exist means that nothing was written`() async throws {
        try await withRemote("http://moviesync.invalid") { remote in
            let error = try await remoteError { _ = try await remote.write(film("A"), in: movies, if: .absent) }
            #expect(error.code == .unreachable)
            #expect(error.message.contains("moviesync.invalid"))
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":", "HTTP/1.1 200"])
    func `a connection cut before the end of the answer leaves the outcome unknown`(beginning: String) async throws {
        try await withScript { _, line in
            if !beginning.isEmpty { try await line.send(beginning) }
            throw ScriptedServer.HangUp()
        } _: { remote, _ in
            let error = try await remoteError { _ = try await remote.write(film("A"), in: movies, if: .absent) }
            #expect(error.code == .outcomeUnknown)
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":"])
    func `no answer in time leaves the outcome unknown`(beginning: String) async throws {
        try await withScript(adjusting: { $0.timeouts.request = .milliseconds(200) }) { _, line in
            if !beginning.isEmpty { try await line.send(beginning) }
            await line.staySilent()
        } _: { remote, _ in
            let error = try await remoteError { _ = try await remote.write(film("A"), in: movies, if: .absent) }
            #expect(error.code == .outcomeUnknown)
        }
    }

    @Test func `a body that trickles is no answer in time`() async throws {
        try await withScript(adjusting: { $0.timeouts.request = .milliseconds(200) }) { _, line in
            try await line.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            // It is the server that is slow; it ends when the connection does.
            while true {
                try await line.send("1\r\n \r\n")
                try await Task.sleep(for: .milliseconds(20))
            }
        } _: { remote, _ in
            let error = try await remoteError { _ = try await remote.write(film("A"), in: movies, if: .absent) }
            #expect(error.code == .outcomeUnknown && error.message.contains("within the time limit"))
        }
    }

    @Test(arguments: ["000", "099"])
    func `a status that there is not leaves the outcome unknown`(status: String) async throws {
        try await withScript { _, line in
            let type = "Content-Type: text/event-stream\r\nContent-Length: 4"
            try await line.send("HTTP/1.1 \(status) Odd\r\n\(type)\r\n\r\nnull")
        } _: { remote, _ in
            let error = try await remoteError { _ = try await remote.write(film("A"), in: movies, if: .absent) }
            #expect(error.code == .outcomeUnknown)
            #expect(error.message.contains("the status \(Int(status) ?? -1), which there is not"))
            let ending = try await remoteError { try await remote.listen(to: movies, after: nil) { _ in } }
            #expect(ending.code == .streamEnded)
        }
    }

    @Test func `a cancelled task ends its request`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        try await withScript { _, line in
            arrival.yield()
            await line.staySilent()
        } _: { remote, _ in
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await remote.keys(in: movies) }
                for await _ in arrivals { break }
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
        }
    }

    @Test func `the clock offset comes from the answers' dates`() async throws {
        try await withScript { _, line in
            try await line.reply(200, ["Date": "Sun, 06 Nov 2095 08:49:37 GMT"], "null")
        } _: { remote, _ in
            #expect(remote.traffic.clockOffset == nil)
            _ = try await remote.keys(in: movies)
            let offset = try #require(remote.traffic.clockOffset)
            #expect(offset > 40 * 365 * 86_400_000)
        }
    }
}
