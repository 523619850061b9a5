import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestSupport

/// One request that a proxy saw.
struct SeenRequest: Hashable, Sendable {
    var method: String
    var uri: String
    var headers: [String: String]
    var body: String
    var isStream: Bool { headers["accept"] == "text/event-stream" }
    /// What a node asks by itself (where the horizon stands, who else there is) comes when it comes: a test of what
    /// becomes of edits is about these.
    var isWrite: Bool { ["PUT", "PATCH", "DELETE"].contains(method) }
}

/// What a proxy does with a request.
enum Fault: Sendable {
    case pass
    /// Answers by itself; the hub hears nothing.
    case answer(Int, headers: [String: String] = [:], body: String = "null")
    /// The answer comes without its ETag.
    case withoutETag
    /// The hub carries it out, the connection is cut before the answer.
    case loseReply
    /// The connection is cut before the hub hears of it.
    case cut
    /// The hub hears nothing, and no answer ever comes.
    case silent
}

/// Stands between nodes and a hub: counts, and does what a bad network does.
final class FaultyProxy: Sendable {
    private struct State: Sendable {
        var requests: [SeenRequest] = []
        var received = 0
        var fault: @Sendable (SeenRequest) -> Fault = { _ in .pass }
        var open: [ObjectIdentifier: any Channel] = [:]
        var port = 0
        var refuses = false
    }

    private let hubPort: Int
    private let state = Mutex(State())
    /// Rings at each request.
    let bell = Bell()

    init(hubPort: Int) { self.hubPort = hubPort }

    var url: String { "http://127.0.0.1:\(state.withLock { $0.port })" }

    /// All requests so far.
    var requests: [SeenRequest] { state.withLock { $0.requests } }

    /// Waits until a request like this has come, be it before.
    func until(
        _ what: String, after count: Int = 0, _ condition: @escaping @Sendable (SeenRequest) -> Bool
    ) async throws {
        try await TestSupport.until(
            what, hearing: [bell], detail: { "\(self.requests.dropFirst(count).map { "\($0.method) \($0.uri)" })" }
        ) {
            self.requests.dropFirst(count).contains(where: condition) ? () : nil
        }
    }

    /// Waits until no request has come for so long.
    func untilQuiet(for silence: Duration) async throws {
        var isQuiet = false
        while !isQuiet {
            let rings = bell.rings()
            do {
                try await within(silence, "a request") { for await _ in rings { return } }
            } catch is TooLate {
                isQuiet = true
            }
        }
    }

    /// Bytes of answers' bodies so far.
    var received: Int { state.withLock { $0.received } }

    /// From now on, `fault` decides for each request.
    func behave(_ fault: @escaping @Sendable (SeenRequest) -> Fault) { state.withLock { $0.fault = fault } }

    /// From now on the next `count` requests that `fault` has something against suffer, then all pass.
    func behave(times count: Int, _ fault: @escaping @Sendable (SeenRequest) -> Fault?) {
        let left = Counter(count)
        behave { request in
            guard let found = fault(request), left.take() else { return .pass }
            return found
        }
    }

    /// Whether new connections are closed at once.
    func refuse(_ refuses: Bool) {
        state.withLock { $0.refuses = refuses }
        if refuses { cut() }
    }

    /// Closes all connections.
    func cut() {
        for channel in state.withLock({ $0.open.values.map(\.self) }) { channel.close(promise: nil) }
    }

    fileprivate typealias Inbound = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    fileprivate typealias Outbound = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    func start(in site: Site) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    return AcceptedChannel(channel)
                }
            }
        state.withLock { $0.port = server.channel.localAddress?.port ?? 0 }
        site.add {
            try? await withThrowingDiscardingTaskGroup { group in
                try await server.executeThenClose { connections in
                    for try await connection in connections { group.addTask { try? await self.serve(connection) } }
                }
            }
        }
    }

    private func serve(_ accepted: AcceptedChannel) async throws {
        let inbound = try await accepted.served(as: Inbound.self)
        let id = ObjectIdentifier(inbound.channel)
        let refused = state.withLock { state in
            if !state.refuses { state.open[id] = inbound.channel }
            return state.refuses
        }
        defer { state.withLock { $0.open[id] = nil } }
        try? await inbound.executeThenClose { requests, replies in
            if refused { return }
            let outbound = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: self.hubPort) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Outbound(wrappingChannelSynchronously: channel)
                    }
                }
            try await outbound.executeThenClose { answers, onward in
                let exchange = Exchange(proxy: self, replies: replies, onward: onward)
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { try? await exchange.forward(requests) }
                    group.addTask { try? await exchange.bringBack(answers) }
                    await group.next()
                    inbound.channel.close(promise: nil)
                    outbound.channel.close(promise: nil)
                    group.cancelAll()
                }
            }
        }
    }

    fileprivate func decide(_ head: HTTPRequestHead, _ body: ByteBuffer) -> Fault {
        var headers: [String: String] = [:]
        for (name, value) in head.headers { headers[name.lowercased()] = value }
        let request = SeenRequest(
            method: head.method.rawValue, uri: head.uri, headers: headers, body: String(buffer: body))
        let fault = state.withLock { state in
            state.requests.append(request)
            return state.fault
        }
        bell.ring()
        return fault(request)
    }

    fileprivate func count(_ bytes: Int) { state.withLock { $0.received += bytes } }
}

/// One connection: requests one way, answers the other.
private struct Exchange: Sendable {
    private struct Cut: Error {}

    let proxy: FaultyProxy
    let replies: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    let onward: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    private let losing = Flag()
    private let removingETags = Flag()

    init(
        proxy: FaultyProxy, replies: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>,
        onward: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) {
        self.proxy = proxy
        self.replies = replies
        self.onward = onward
    }

    func forward(_ requests: NIOAsyncChannelInboundStream<HTTPServerRequestPart>) async throws {
        var current: HTTPRequestHead?
        var body = ByteBuffer()
        for try await part in requests {
            switch part {
            case .head(let head):
                current = head
                body.clear()
            case .body(var bytes): body.writeBuffer(&bytes)
            case .end:
                guard let head = current else { continue }
                try await carryOut(proxy.decide(head, body), head, body)
            }
        }
    }

    private func carryOut(_ fault: Fault, _ head: HTTPRequestHead, _ body: ByteBuffer) async throws {
        switch fault {
        case .cut: throw Cut()
        case .silent: return
        case .answer(let status, let headers, let text): return try await answer(status, headers, text)
        case .loseReply: losing.set(true)
        case .withoutETag, .pass: removingETags.set(fault.removesETag)
        }
        try await onward.write(contentsOf: [.head(head), .body(.byteBuffer(body)), .end(nil)])
    }

    private func answer(_ status: Int, _ headers: [String: String], _ body: String) async throws {
        var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
        fields.replaceOrAdd(name: "Content-Length", value: "\(body.utf8.count)")
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)
        try await replies.write(
            contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(string: body))), .end(nil)])
    }

    func bringBack(_ answers: NIOAsyncChannelInboundStream<HTTPClientResponsePart>) async throws {
        for try await part in answers {
            if losing.isSet {
                if case .end = part { throw Cut() }
                continue
            }
            switch part {
            case .head(var head):
                if removingETags.isSet { head.headers.remove(name: "ETag") }
                try await replies.write(.head(head))
            case .body(let bytes):
                proxy.count(bytes.readableBytes)
                try await replies.write(.body(.byteBuffer(bytes)))
            case .end(let trailers): try await replies.write(.end(trailers))
            }
        }
    }
}

extension Fault {
    fileprivate var removesETag: Bool { if case .withoutETag = self { true } else { false } }
}

/// What holds for the answers of a connection.
private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set(_ value: Bool) { state.withLock { $0 = value } }
}

/// So many times, and not once more.
private final class Counter: Sendable {
    private let left: Mutex<Int>
    init(_ count: Int) { left = Mutex(count) }
    func take() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

extension Site {
    /// A proxy in front of a hub; point nodes at its `url`.
    func proxy(to hub: Hub) async throws -> FaultyProxy {
        let proxy = FaultyProxy(hubPort: hub.port)
        try await proxy.start(in: self)
        return proxy
    }
}
