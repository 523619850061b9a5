import AsyncHTTPClient
import Foundation
import JSONText
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import SyncModel

@testable import LocalFirebase

/// A folder that is removed when the test ends.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "moviesync-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

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

/// The frames of an open event stream: `put {"path":…}`.
struct Frames {
    let contentType: String?
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private var bytes: [UInt8] = []
    /// Up to here there is no end of a frame.
    private var searched = 0

    init(response: HTTPClientResponse) {
        contentType = response.headers.first(name: "content-type")
        iterator = response.body.makeAsyncIterator()
    }

    /// The next frame as `event data`; nil when the stream has ended.
    mutating func next() async throws -> String? {
        while true {
            if let end = endOfFrame() {
                let frame = String(decoding: bytes[..<end], as: UTF8.self)
                bytes.removeFirst(end + 2)
                searched = 0
                let parts = frame.split(separator: "\n", maxSplits: 1)
                return parts.map { $0.drop { $0 != " " }.dropFirst() }.joined(separator: " ")
            }
            guard let chunk = try await iterator.next() else { return nil }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
    }

    private mutating func endOfFrame() -> Int? {
        var index = searched
        while index + 1 < bytes.count {
            if bytes[index] == 0x0A, bytes[index + 1] == 0x0A { return index }
            index += 1
        }
        searched = index
        return nil
    }
}

/// Runs a server that believes `Bearer owner` on a free port while `body` runs, and stops it gracefully.
func withServer<Result: Sendable>(
    data: String? = nil, options change: (inout LocalFirebaseOptions) -> Void = { _ in },
    _ body: (TestClient) async throws -> Result
) async throws -> Result {
    let folder = try TemporaryFolder()
    var options = LocalFirebaseOptions(data: data ?? folder.path)
    options.port = 0
    options.isEmulator = true
    change(&options)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let server = try LocalFirebaseServer(options, logger: logger)
    let group = ServiceGroup(
        configuration: .init(services: [.init(service: server)], gracefulShutdownSignals: [], logger: logger)
    )
    async let running: Void = group.run()
    let result = try await body(TestClient(base: "http://\(server.address)"))
    await group.triggerGracefulShutdown()
    try await running
    return result
}
