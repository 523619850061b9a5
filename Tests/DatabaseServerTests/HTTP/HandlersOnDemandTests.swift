import Foundation
import NIOCore
import TestSupport
import Testing

@testable import DatabaseServer

/// What a connection is given only when a request needs it works for that request, and harms none before or after it.
struct HandlersOnDemandTests {
    private static let long = "\"\(String(repeating: "a", count: 5000))\""

    /// Sends requests one after the other on one connection, each when the answer before it has ended, and gives the answers.
    ///
    /// - Parameter requests: each with what its answer ends with; nil where its head tells.
    private func converse(
        _ requests: [(text: String, end: String?)], with client: TestClient
    ) async throws -> [String] {
        try await connect(to: client.address()).executeThenClose { inbound, outbound in
            var answers: [String] = []
            var chunks = inbound.makeAsyncIterator()
            for request in requests {
                try await outbound.write(ByteBuffer(string: request.text))
                var answer: [UInt8] = []
                while !isWhole(answer, request.end) {
                    guard let chunk = try await chunks.next() else { break }
                    answer += chunk.readableBytesView
                }
                answers.append(String(decoding: answer, as: UTF8.self))
            }
            return answers
        }
    }

    private func isWhole(_ answer: [UInt8], _ end: String?) -> Bool {
        if let end { return answer.suffix(end.utf8.count).elementsEqual(end.utf8) }
        guard let head = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let lines = String(decoding: answer[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
        guard let length else { return answer.suffix(5).elementsEqual("0\r\n\r\n".utf8) }
        return answer.count == head.upperBound + length
    }

    private func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    @Test(.timeLimit(.minutes(1)))
    func `one request of many is packed, and then another one`() async throws {
        try await withServer { client in
            try await Step("PUT /a.json", Self.long).perform(client)
            let (plain, packed) = (get("/a.json"), get("/a.json", "Accept-Encoding: gzip\r\n"))
            let answers = try await converse([plain, packed, plain, packed, plain].map { ($0, nil) }, with: client)
            #expect(answers.map { $0.contains("Content-Encoding: gzip") } == [false, true, false, true, false])
            #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200") })
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `requests that do not wait for each other's answers are answered in order, packed or not`() async throws {
        try await withServer { client in
            try await Step("PUT /a.json", Self.long).perform(client)
            try await Step("PUT /b.json", "\"the last\"").perform(client)
            let together =
                get("/a.json") + get("/a.json", "Accept-Encoding: gzip\r\n") + get("/a.json")
                + get("/b.json", "Accept-Encoding: gzip\r\n")
            let answers = try await converse(
                [(together, "\"the last\""), (get("/b.json"), nil)], with: client)
            #expect(answers[0].components(separatedBy: "HTTP/1.1 200").count == 5)
            #expect(answers[1].hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a connection that was packed becomes a WebSocket`() async throws {
        try await withServer { client in
            try await Step("PUT /a.json", Self.long).perform(client)
            let upgrade = get(
                "/.ws?v=5&ns=a",
                "Accept-Encoding: gzip\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n")
            let answers = try await converse(
                [(get("/a.json", "Accept-Encoding: gzip\r\n"), nil), (upgrade, #""t":"c"}"#)], with: client)
            #expect(answers[0].contains("Content-Encoding: gzip"))
            #expect(answers[1].hasPrefix("HTTP/1.1 101") && answers[1].contains(#""t":"c""#))
        }
    }
}
