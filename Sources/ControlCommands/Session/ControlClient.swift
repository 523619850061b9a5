internal import AsyncHTTPClient
internal import ControlAPI
internal import EventStream
internal import FoundationEssentials
internal import HTTPCalling
internal import NIOCore
internal import NIOHTTP1
internal import OperatingSystem

/// The daemon, as seen through its control socket; every error is a ``CommandFailure``.
struct ControlClient: Sendable {
    private let http: HTTPClient
    let socket: String
    let signOfLife: SignOfLife

    /// How long an answer may take that waits for nothing.
    static let patience = Duration.seconds(30)
    private static let maxReply = 1 << 28

    /// Lends a client to `body`, and closes it.
    static func open(
        socket: String, signOfLife: SignOfLife = SignOfLife(), _ body: (ControlClient) async throws -> Void
    ) async throws {
        var configuration = HTTPClient.Configuration.calling
        configuration.timeout.connect = .seconds(5)
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            try await body(ControlClient(http: http, socket: socket, signOfLife: signOfLife))
        } catch {
            try? await http.shutdown()
            throw error
        }
        try? await http.shutdown()
    }

    /// Asks for something. `wait` is what the request itself may wait, on top of `patience`.
    func get<Reply: Decodable>(
        _ path: String, _ query: [String: String] = [:], wait: Duration = .zero, patience: Duration = patience,
        as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        try await ask(.GET, path, query, wait + patience)
    }

    /// Asks for a text.
    func text(_ path: String) async throws -> String {
        String(buffer: try await answer(.GET, path, [:], ControlClient.patience))
    }

    /// Asks for a page of a list of records.
    func recordPage(_ path: String, _ query: [String: String]) async throws -> RecordPageText {
        let text = try await answer(.GET, path, query, ControlClient.patience)
        guard let page = RecordPageText(Array(text.readableBytesView)) else { throw ControlClient.unreadable }
        return page
    }

    /// Tells the daemon to do something.
    func post<Reply: Decodable>(
        _ path: String, _ query: [String: String] = [:], wait: Duration = .zero, as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        try await ask(.POST, path, query, wait + ControlClient.patience)
    }

    /// Tells the daemon to do what `body` says.
    func post<Reply: Decodable>(
        _ path: String, body: some Encodable, wait: Duration, as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        try await ask(.POST, path, [:], wait + ControlClient.patience, body: try ControlJSON.text(body))
    }

    /// Hands the daemon bytes that are no JSON.
    func post<Reply: Decodable>(
        _ path: String, bytes: [UInt8], wait: Duration, as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        try await ask(.POST, path, [:], wait + ControlClient.patience, body: Data(bytes))
    }

    /// Tells the daemon to end or remove something.
    func delete<Reply: Decodable>(
        _ path: String, _ query: [String: String] = [:], as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        try await ask(.DELETE, path, query, ControlClient.patience)
    }

    /// Has the daemon make something, and hands it over piece by piece.
    ///
    /// - Throws: ``CommandFailure`` also where the daemon ends in the middle of it.
    func download(_ path: String, _ body: ([UInt8]) throws -> Void) async throws {
        let request = try request(.POST, path, [:])
        let response = try await attended { try await begun(request) }
        guard response.status == .ok else { throw try await failure(of: response) }
        let expected = response.headers.first(name: "Content-Length").flatMap { Int($0) }
        var received = 0
        try await connected {
            for try await chunk in response.body {
                received += chunk.readableBytes
                try body(Array(chunk.readableBytesView))
            }
        }
        guard received == expected else {
            throw CommandFailure(.internalFault, "the daemon's answer is cut: try again, and look at its log")
        }
    }

    /// Hands over each change after the one numbered `sequence`, until the daemon ends the stream. Returns the last of them.
    func changes(
        after sequence: Int64, _ body: @escaping @Sendable (ChangeReply) throws -> Void
    ) async throws -> ChangeReply? {
        try await events(ControlRoute.changes, ["after": String(sequence)], body)
    }

    /// Hands over what each event of a stream carries, until the daemon ends it. Returns the last of them.
    ///
    /// - Throws: ``CommandFailure`` also where the daemon hangs: without events a stream looks no different then.
    @discardableResult
    func events<Reply: Decodable & Sendable>(
        _ path: String, _ query: [String: String] = [:], _ body: @escaping @Sendable (Reply) throws -> Void
    ) async throws -> Reply? {
        var request = try request(.GET, path, query)
        request.headers.add(name: "Accept", value: ControlRoute.eventStream)
        return try await attended { [request] in
            let response = try await begun(request)
            guard response.status == .ok else { throw try await failure(of: response) }
            return try await replies(in: response.body, body)
        }
    }

    private func replies<Reply: Decodable>(
        in stream: HTTPClientResponse.Body, _ body: (Reply) throws -> Void
    ) async throws -> Reply? {
        var events = WholeEvents(maxData: ControlClient.maxReply)
        var last: Reply?
        do {
            for try await chunk in stream {
                for data in try events.read(Array(chunk.readableBytesView)[...]) {
                    let reply = try read(Reply.self, Data(data))
                    try body(reply)
                    last = reply
                }
            }
        } catch let error
            where error is HTTPClientError || error is IOError || error is ChannelError || error is HTTPParserError
        {
            // The daemon is gone; whoever asks again finds out.
        } catch is EventStreamError {
            throw ControlClient.unreadable
        }
        return last
    }
}

extension ControlClient {
    private func ask<Reply: Decodable>(
        _ method: HTTPMethod, _ path: String, _ query: [String: String], _ limit: Duration, body: Data? = nil
    ) async throws -> Reply {
        try read(Reply.self, Data((try await answer(method, path, query, limit, body: body)).readableBytesView))
    }

    private func answer(
        _ method: HTTPMethod, _ path: String, _ query: [String: String], _ limit: Duration, body: Data? = nil
    ) async throws -> ByteBuffer {
        var request = try request(method, path, query)
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        return try await attended { [request] in
            let response = try await connected(limit) { try await http.execute(request, timeout: TimeAmount(limit)) }
            // An unhealthy daemon says so with status 503 and the same body.
            guard response.status == .ok || (response.status == .serviceUnavailable && path == ControlRoute.health)
            else { throw try await failure(of: response) }
            return try await self.body(of: response)
        }
    }

    /// The head of an answer that may go on for ever.
    private func begun(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await connected { try await http.execute(request, deadline: .distantFuture) }
    }

    /// False where the daemon takes a connection and says nothing; one that is gone is for the exchange to notice.
    func lives() async -> Bool {
        guard let request = try? request(.GET, ControlRoute.status, [:]) else { return true }
        do {
            _ = try await http.execute(request, timeout: TimeAmount(signOfLife.within))
        } catch let error as HTTPClientError {
            return error != .deadlineExceeded && error != .connectTimeout
        } catch {}
        return true
    }

    private func request(
        _ method: HTTPMethod, _ path: String, _ query: [String: String]
    ) throws -> HTTPClientRequest {
        let (count, longest) = (socket.utf8.count, UnixListener.longestPath)
        guard count <= longest else {
            throw CommandFailure(
                .usage, "the socket's path has \(count) bytes, but can have at most \(longest): name a shorter one")
        }
        var address = URLComponents()
        // What is escaped already stays so.
        if path.contains("%") { address.percentEncodedPath = path } else { address.path = path }
        if !query.isEmpty {
            address.queryItems = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        }
        guard let uri = address.string, let url = URL(httpURLWithSocketPath: socket, uri: uri) else {
            throw CommandFailure(.usage, "'\(socket)' is not the path of a socket; give another --socket")
        }
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = method
        return request
    }

    /// - Parameter limit: how long the exchange may take.
    private func connected<Result>(
        _ limit: Duration = .zero, _ exchange: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await exchange()
        } catch let error as IOError where error.errnoCode == Errno.notPermitted || error.errnoCode == Errno.denied {
            throw CommandFailure.notAllowed(at: socket)
        } catch let error as HTTPClientError where error == .deadlineExceeded {
            throw CommandFailure.late(at: socket, limit)
        } catch let error as IOError where error.errnoCode == Errno.again {
            // More callers wait already than may.
            throw CommandFailure.notAnswering(at: socket, nil)
        } catch is IOError {
            throw CommandFailure.notRunning(at: socket)
        } catch is HTTPClientError {
            throw CommandFailure.notRunning(at: socket)
        } catch is ChannelError {
            throw CommandFailure.notRunning(at: socket)
        } catch is HTTPParserError {
            // It has ended in the middle of its answer, or is no daemon.
            throw CommandFailure.notRunning(at: socket)
        }
    }

    private func body(of response: HTTPClientResponse) async throws -> ByteBuffer {
        try await connected { try await response.body.collect(upTo: ControlClient.maxReply) }
    }

    private func failure(of response: HTTPClientResponse) async throws -> CommandFailure {
        let text = Data(try await body(of: response).readableBytesView)
        guard var error = try? ControlJSON.read(ControlError.self, from: text) else {
            return CommandFailure(
                .internalFault, "what answers at \(socket) is not a moviesync daemon (status \(response.status.code))"
            )
        }
        error.status = Int(response.status.code)
        return CommandFailure(error)
    }

    private func read<Reply: Decodable>(_ type: Reply.Type, _ text: Data) throws -> Reply {
        do {
            return try ControlJSON.read(type, from: text)
        } catch {
            throw ControlClient.unreadable
        }
    }

    static let unreadable = CommandFailure(
        .internalFault, "the daemon's response can't be read; use the moviesync of the same version")

    private enum Errno {
        static let again: CInt = 11
        static let notPermitted: CInt = 1
        static let denied: CInt = 13
    }
}
