internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore

extension Responder {
    private static let eventStream = HTTPField(name: .contentType, value: "text/event-stream; charset=utf-8")

    /// Serves an event stream until the client goes, the server stops, or the reader is too slow.
    func stream(
        _ request: RestRequest, _ path: WirePath, _ identity: Identity, _ rawRequest: Request,
        _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let subscription = Subscription(request, at: path)
        let listener = Listener(
            id: listeners.nextID(), principal: identity.principal, limit: options.listenerBuffer, channel: channel,
            logger: logger)
        let database = request.database
        if let query = request.query { try await commits.makeIndex(query.order, at: path, in: database) }
        let opening = await open(listener, subscription, in: database)
        guard case .success(let opened) = opening else {
            return try await send(Reply(Refusal.permissionDenied), writer, for: request.origin)
        }
        note("stream.opened", listener)
        defer {
            listeners.remove(listener.id, from: subscription, in: database)
            note("stream.closed", listener)
        }
        let body = try await writer.writeHead(streamHead(for: request.origin))
        try await rawRequest.body.consumeWithCancellationOnInboundClose { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.keepAlive(listener) }
                if let expires = identity.expires {
                    group.addTask { try await self.revoke(listener, at: expires) }
                }
                var body = body
                if let root = opened.take() {
                    let form = subscription.form(of: root)
                    try await Responder.write(subscription.snapshot(of: root), form, &body, on: channel.eventLoop)
                }
                for await frame in listener.frames {
                    try await body.write(frame)
                    listener.sent(frame)
                }
                try await body.finish(nil)
                channel.close(mode: .output, promise: nil)
                group.cancelAll()
            }
        }
    }

    private func streamHead(for origin: CrossOrigin) -> HTTPResponse {
        var head = head(.ok, Responder.eventStream, for: origin)
        // Nothing is read on a stream's connection, so no other request may follow on it.
        head.headerFields[.connection] = "close"
        return head
    }

    private func keepAlive(_ listener: Listener) async throws {
        let frame = ByteBuffer(bytes: EventFrame.notice(.keepAlive))
        while true {
            try await Task.sleep(for: options.keepAlive, tolerance: options.keepAlive / 60)
            listener.offer(frame)
        }
    }

    private func note(_ event: String, _ listener: Listener) {
        logger.debug(
            "An event stream was opened or closed",
            metadata: ["event": "\(event)", "listener": "\(listener.id)", "open": "\(listeners.count)"]
        )
    }

    private static func write(
        _ snapshot: Node?, _ form: NodeEncoder.Form, _ body: inout some ResponseBodyWriter, on loop: any EventLoop
    ) async throws {
        var opening = ByteBuffer(bytes: EventFrame.opening(.put, at: .root))
        guard let snapshot else {
            opening.writeString("null")
            opening.writeBytes(EventFrame.end)
            try await body.write(opening)
            return
        }
        try await body.write(opening)
        var pieces = NodeEncoder(snapshot, form)
        while let piece = pieces.next() {
            try await body.write(ByteBuffer(bytes: piece))
            try await loop.catchUp()
        }
        try await body.write(ByteBuffer(bytes: EventFrame.end))
    }
}
