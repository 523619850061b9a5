import AsyncHTTPClient
import Foundation
import JSONText
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import SyncModel
import TestSupport

@testable import DatabaseServer

/// An answer as a client sees it.
struct Answer {
    var status: Int
    /// By lower-case name.
    var headers: [String: String]
    var body: String
}

/// A client of one server.
struct TestClient: Sendable {
    let base: String
    var http = HTTPClient.shared

    func send(
        _ method: String, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = HTTPMethod(rawValue: method)
        // The client would refuse what packs very well.
        if headers["Accept-Encoding"] == nil { request.headers.add(name: "Accept-Encoding", value: "identity") }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await http.execute(request, timeout: .seconds(30))
        let text = try await response.body.collect(upTo: 1 << 28)
        let named = response.headers.map { ($0.name.lowercased(), $0.value) }
        let headers = Dictionary(named) { first, _ in first }
        return Answer(status: Int(response.status.code), headers: headers, body: String(buffer: text))
    }

    func get(_ path: String) async throws -> String { try await send("GET", path).body }

    /// Opens an event stream and hands its frames over one by one.
    func listen<Result: Sendable>(
        _ path: String, _ body: (inout Frames) async throws -> Result
    ) async throws -> Result {
        var request = HTTPClientRequest(url: base + path)
        request.headers.add(name: "Accept", value: "text/event-stream")
        let response = try await http.execute(request, deadline: .distantFuture)
        var frames = Frames(response: response)
        return try await body(&frames)
    }
}

extension TestClient {
    /// A client with as many connections of its own as it wants; the shared ones are few, and each stream takes one.
    func withOwnConnections<Result: Sendable>(
        _ body: (TestClient) async throws -> Result
    ) async throws -> Result {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 10_000
        return try await withHTTPClient(configuration) { try await body(TestClient(base: base, http: $0)) }
    }
}

/// Lends `body` an HTTP client of its own.
func withHTTPClient<Result: Sendable>(
    _ configuration: HTTPClient.Configuration, _ body: (HTTPClient) async throws -> Result
) async throws -> Result {
    let http = HTTPClient(configuration: configuration)
    do {
        let result = try await body(http)
        try await http.shutdown()
        return result
    } catch {
        try await http.shutdown()
        throw error
    }
}

/// The frames of an open event stream: `put {"path":…}`.
struct Frames {
    let contentType: String?
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private var bytes = Data()
    private static let end = Data("\n\n".utf8)

    init(response: HTTPClientResponse) {
        contentType = response.headers.first(name: "content-type")
        iterator = response.body.makeAsyncIterator()
    }

    /// The next frame as `event data`; nil when the stream has ended.
    mutating func next() async throws -> String? {
        // A frame's end may come in two chunks.
        var searched = bytes.startIndex
        while true {
            if let end = bytes.range(of: Frames.end, in: searched..<bytes.endIndex) {
                let frame = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                bytes.removeSubrange(..<end.upperBound)
                let parts = frame.split(separator: "\n", maxSplits: 1)
                return parts.map { $0.drop { $0 != " " }.dropFirst() }.joined(separator: " ")
            }
            searched = max(bytes.startIndex, bytes.endIndex - 1)
            guard let chunk = try await iterator.next() else { return nil }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
    }
}

/// Runs a server that believes `Bearer owner` on a free port while `body` runs, and stops it gracefully.
func withServer<Result: Sendable>(
    data: String? = nil, options change: (inout ServerConfiguration) -> Void = { _ in },
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ body: (TestClient) async throws -> Result
) async throws -> Result {
    let folder = try TemporaryFolder()
    var options = ServerConfiguration(data: data ?? folder.path)
    options.port = 0
    options.isEmulator = true
    change(&options)
    let server = try HubServer(options, logger: logger)
    let group = ServiceGroup(
        configuration: .init(services: [.init(service: server)], gracefulShutdownSignals: [], logger: logger)
    )
    async let running: Void = group.run()
    let result = try await body(TestClient(base: "http://\(server.address)"))
    await group.triggerGracefulShutdown()
    try await running
    return result
}

/// Why a server of this folder can't start, or ends by itself; nil where it loads all.
func failure(data: String, port: Int = 0) async -> ServerError? {
    let (logger, events) = NotedEvents.make()
    var options = ServerConfiguration(data: data)
    options.port = port
    do {
        let server = try HubServer(options, logger: logger)
        let group = ServiceGroup(services: [server], logger: logger)
        async let stopping: Void = {
            for await event in events where event["event"] == "server.loaded" { break }
            await group.triggerGracefulShutdown()
        }()
        try await group.run()
        await stopping
        return nil
    } catch {
        return error as? ServerError
    }
}
