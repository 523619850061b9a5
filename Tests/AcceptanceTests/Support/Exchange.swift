import AsyncHTTPClient
import FoundationEssentials
import JSONText
import NIOCore
import NIOHTTP1
import SyncModel
import TestSupport

/// An answer over HTTP.
struct Answer: Sendable {
    var status: Int
    var headers: [String: String]
    var text: String

    /// The body as JSON.
    var json: JSONValue {
        get throws { try JSONReader.value(text.utf8) }
    }
}

extension Site {
    /// Asks over HTTP; `body` is sent as it is.
    func ask(
        _ method: String, _ url: String, body: String? = nil, headers: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await http.execute(request, timeout: TimeAmount(limit))
        let bytes = try await response.body.collect(upTo: 1 << 28)
        var found: [String: String] = [:]
        for (name, value) in response.headers { found[name.lowercased()] = value }
        return Answer(status: Int(response.status.code), headers: found, text: String(buffer: bytes))
    }

    /// Hands over each line of an answer that does not end, until `body` says true or `limit` has passed.
    func lines(
        of url: String, headers: [String: String], within limit: Duration = .seconds(20),
        until body: (String) throws -> Bool
    ) async throws {
        var request = HTTPClientRequest(url: url)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await http.execute(request, timeout: TimeAmount(limit))
        var rest = ""
        for try await chunk in response.body {
            rest += String(buffer: chunk)
            while let end = rest.firstIndex(of: "\n") {
                if try body(String(rest[..<end])) { return }
                rest = String(rest[rest.index(after: end)...])
            }
        }
    }

    /// Rings when an event stream has begun, and at each piece of it, until it ends or the task is cancelled.
    func hear(_ url: String, headers: [String: String] = [:], _ bell: Bell) async throws {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "text/event-stream")
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await http.execute(request, deadline: .distantFuture)
        bell.ring()
        for try await _ in response.body { bell.ring() }
    }
}
