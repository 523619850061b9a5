import NIOCore
import TestSupport
import Testing

@testable import DatabaseServer
@testable import HTTPListening

/// What clients do to a connection that no library does.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct ConnectionTests {
    static let get = "GET /a.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    static let last = "GET /a.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    static let stream = "GET /a.json HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"

    /// Statuses of the answers until the connection closes, and how the last answer ends.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var request: String
        var halfClosing = false
        var statuses: [String]
        var end = ""
    }

    static let cases = [
        Case(testDescription: "several requests at once", request: get + get + last, statuses: ["200", "200", "200"]),
        Case(
            testDescription: "close, in any spelling",
            request: "GET /a.json HTTP/1.1\r\nHost: localhost\r\nConnection: Close\r\n\r\n" + get, statuses: ["200"]),
        Case(
            testDescription: "an old client", request: "GET /a.json HTTP/1.0\r\n\r\n", statuses: ["200"],
            end: "\r\n\r\n{\"n\":1}"),
        Case(
            testDescription: "an old client that wants to stay",
            request: "GET /a.json HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", statuses: ["200"]),
        Case(
            testDescription: "a body that is not wanted",
            request: "GET /a.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc" + last,
            statuses: ["200", "200"]),
        Case(
            testDescription: "an absolute target", request: last.replacing("GET ", with: "GET http://localhost:80"),
            statuses: ["200"]),
        Case(testDescription: "garbage", request: "\u{0}\u{1} what\r\n\r\n", statuses: ["400"]),
        Case(testDescription: "an encrypted greeting", request: "\u{16}\u{3}\u{1}\u{2}", statuses: ["400"]),
        Case(
            testDescription: "a header that never ends",
            request: "GET /a.json HTTP/1.1\r\nX: " + String(repeating: "x", count: 200_000), statuses: ["400"]),
        Case(
            testDescription: "two lengths",
            request: "PUT /a.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12",
            statuses: ["400"]),
        Case(testDescription: "no host", request: "GET /a.json HTTP/1.1\r\n\r\n", statuses: ["400"]),
        Case(
            testDescription: "an empty host", request: "GET /a.json HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
            statuses: ["403"]),
        Case(
            testDescription: "two hosts, after a request that is answered",
            request: get + "PUT /a.json HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\nContent-Length: 1\r\n\r\n1"
                + get, statuses: ["200", "400"]),
        Case(
            testDescription: "an old client with two hosts",
            request: "GET /a.json HTTP/1.0\r\nHost: localhost\r\nHOST: localhost\r\n\r\n", statuses: ["400"]),
        Case(testDescription: "half closed", request: get, halfClosing: true, statuses: ["200"], end: "{\"n\":1}"),
        Case(testDescription: "half closed in a head", request: "GET /a", halfClosing: true, statuses: ["400"]),
        Case(
            testDescription: "half closed in a body",
            request: "PUT /a.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1", halfClosing: true,
            statuses: ["400"]),
        Case(testDescription: "half closed at once", request: "", halfClosing: true, statuses: []),
        Case(testDescription: "half closed on a stream", request: stream, halfClosing: true, statuses: ["200"]),
        Case(
            testDescription: "a head alone, then another request",
            request: "HEAD /a.json HTTP/1.1\r\nHost: localhost\r\n\r\n" + last, statuses: ["200", "200"]),
    ]

    @Test(arguments: cases) func `a strange client is answered`(_ given: Case) async throws {
        try await withServer { client in
            try await Step("PUT /a.json", #"{"n":1}"#).perform(client)
            let text = try await exchange(given.request, with: client, halfClosing: given.halfClosing)
            let found = text.matches(of: #/HTTP\/1\.[01] (\d+) /#).map { String($0.1) }
            #expect(found == given.statuses, "\(text)")
            #expect(text.hasSuffix(given.end), "\(text)")
            #expect(try await client.get("/a.json") == #"{"n":1}"#)
        }
    }

    @Test func `a head alone has no end of chunks behind it`() async throws {
        try await withServer { client in
            try await Step("PUT /a.json", #"{"n":1,"o":2}"#).perform(client)
            for query in ["", "?orderBy=%22$key%22&limitToFirst=1", "?orderBy=%22$key%22&print=pretty"] {
                let request = "/a.json\(query) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                let head = try await exchange("HEAD \(request)", with: client)
                let length = try #require(head.firstMatch(of: #/(?i)Content-Length: (\d+)\r\n/#)?.1)
                #expect(head.hasSuffix("\r\n\r\n") && !head.contains("chunked"), "\(head)")
                let body = try await client.get("/a.json\(query)")
                #expect(Int(length) == body.utf8.count)
            }
        }
    }

    @Test func `a long body that nobody needs is not waited for`() async throws {
        try await withServer { client in
            for method in ["DELETE /a.json", "GET /a.json", "OPTIONS /a.json", "PUT /.info/a.json"] {
                let head = "Host: localhost\r\nExpect: 100-continue\r\nContent-Length: 1000000000"
                let answer = try await exchange("\(method) HTTP/1.1\r\n\(head)\r\n\r\n", with: client)
                #expect(answer.matches(of: #/HTTP\/1\.1 /#).count == 1, "\(answer)")
                #expect(answer.lowercased().contains("connection: close"), "\(answer)")
            }
        }
    }

    @Test func `an answer that has begun is not followed by another one`() async throws {
        let rate = BodyRate(interval: .milliseconds(200), minBytes: 100)
        try await withServer(options: { $0.bodyRate = rate }) { client in
            let stream = ConnectionTests.stream.replacing("Accept", with: "Content-Length: 60000\r\nAccept")
            for request in [stream, "GET /a.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"] {
                let answer = try await exchange(request, with: client)
                #expect(answer.matches(of: #/HTTP\/1\.1 /#).count == 1, "\(answer)")
            }
        }
    }

    @Test func `a body in another coding than chunks is refused`() async throws {
        try await withServer { client in
            let head = "PUT /a.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
            let answer = try await exchange(head + "3\r\n123\r\n0\r\n\r\n", with: client)
            #expect(answer.hasPrefix("HTTP/1.1 501"), "\(answer)")
        }
    }

    @Test func `an old client gets a stream without chunks`() async throws {
        try await withServer { client in
            let request = "GET /a.json HTTP/1.0\r\nAccept: text/event-stream\r\n\r\n"
            let text = try await exchange(request, with: client) { $0.hasSuffix("\n\n") }
            #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n"))
            #expect(text.hasSuffix("\r\n\r\nevent: put\ndata: {\"path\":\"/\",\"data\":null}\n\n"))
        }
    }

    @Test func `an idle connection is closed, a stream is not`() async throws {
        try await withServer(options: {
            $0.idleTimeout = .seconds(1)
            $0.keepAlive = .milliseconds(300)
        }) { client in
            for request in ["", "GET /a"] {
                #expect(try await exchange(request, with: client).isEmpty)
            }
            _ = try await answer(ConnectionTests.get, with: client)
            let text = try await answer(ConnectionTests.stream, with: client) { text in
                text.matches(of: #/event: keep-alive/#).count >= 8
            }
            #expect(text.matches(of: #/event: keep-alive/#).count >= 8)
        }
    }

    /// What is answered. Where the machine stands still for as long as a connection may be idle, it is closed before its
    /// request has come: then another one is tried.
    private func answer(
        _ request: String, with client: TestClient, until enough: @Sendable (String) -> Bool = { _ in false }
    ) async throws -> String {
        while true {
            let text = try? await exchange(request, with: client, until: enough)
            if let text, !text.isEmpty { return text }
            try Task.checkCancellation()
        }
    }
}
