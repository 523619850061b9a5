internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import RTDBWire

extension Responder {
    /// Serves an event stream until the client goes, the server stops, or the reader is too slow.
    func stream(
        _ asked: RestRequest, _ path: WirePath, _ request: Request, _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        let interest = Interest(path: path, query: asked.query)
        let listener = Listener(
            id: listeners.nextID(), limit: options.listenerBuffer, channel: channel, logger: logger
        )
        let database = asked.database
        // Between commits there is time to take the root only: its snapshot may be large, or a query over all of it.
        // The stream must not keep it alive either.
        let opening = await commits.betweenCommits { [commits, listeners] in
            listeners.add(listener, to: interest, in: database)
            return Handover(commits.root(database))
        }
        note("stream.opened", listener)
        defer {
            listeners.remove(listener.id, from: interest, in: database)
            note("stream.closed", listener)
        }
        let body = try await writer.writeHead(head(.ok, type: "text/event-stream; charset=utf-8"))
        let ticks = options.keepAlive
        try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let frame = ByteBuffer(bytes: EventFrame.notice(.keepAlive))
                    while true {
                        try await Task.sleep(for: ticks, tolerance: ticks / 60)
                        listener.offer(frame)
                    }
                }
                var body = body
                try await Responder.write(opening.take().flatMap { interest.snapshot(of: $0) }, &body)
                for await frame in listener.frames {
                    try await body.write(frame)
                    listener.taken(frame)
                }
                group.cancelAll()
            }
        }
    }

    private func note(_ event: String, _ listener: Listener) {
        logger.debug(
            "An event stream was opened or closed",
            metadata: ["event": "\(event)", "listener": "\(listener.id)", "open": "\(listeners.count)"]
        )
    }

    private static func write(_ snapshot: Node?, _ body: inout some ResponseBodyWriter) async throws {
        var opening = ByteBuffer(bytes: EventFrame.opening(.put, at: .root))
        guard let snapshot else {
            opening.writeString("null")
            opening.writeBytes(EventFrame.end)
            try await body.write(opening)
            return
        }
        try await body.write(opening)
        var pieces = NodeText(snapshot)
        while let piece = pieces.next() { try await body.write(ByteBuffer(bytes: piece)) }
        try await body.write(ByteBuffer(bytes: EventFrame.end))
    }
}
