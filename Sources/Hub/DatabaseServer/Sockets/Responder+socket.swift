internal import DatabaseTree
internal import HTTPListening
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore

extension Responder {
    /// How long a client may take to read why its session ends.
    private static let lingering = TimeAmount.seconds(2)

    /// Serves a session over a WebSocket until the client goes, the server stops, or either does what it should not.
    func socket(
        _ rawRequest: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let origin = CrossOrigin(rawRequest.head)
        let route: SocketRoute
        do {
            route = try SocketRoute(rawRequest.head)
            try checkSocket(origin, rawRequest.head.authority, route.database)
        } catch {
            var reply = Reply(error)
            if error.status == 426, let name = HTTPField.Name("Sec-WebSocket-Version") { reply.fields[name] = "13" }
            // What comes after a request to change the protocol is not read as HTTP.
            reply.fields[.connection] = "close"
            reply.isHead = rawRequest.method == .head
            try await send(reply, writer, for: origin)
            channel.close(mode: .output, promise: nil)
            return
        }
        try await waitUntilLoaded()
        if let last = route.last { await sockets.replace(last, in: route.database) }
        let session = SocketSession(
            id: Responder.sessionID(), database: route.database, responder: self, channel: channel
        ) {
            [logger] bytes in
            logger.warning(
                "A WebSocket was cut because its reader is too slow",
                metadata: ["event": "socket.cut", "bytes": "\(bytes)"])
        }
        let body = try await writer.writeHead(route.answer)
        session.outbox.send(
            SocketReply.handshake(now: options.time.now(), host: route.host, session: session.id))
        sockets.add(session)
        await serve(session, rawRequest.body, body, channel)
        sockets.remove(session)
    }

    private func serve(
        _ session: SocketSession, _ frames: RequestBody, _ body: some ResponseBodyWriter, _ channel: any Channel
    ) async {
        logger.debug("A session has begun", metadata: ["event": "socket.opened", "database": "\(session.database)"])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                if let reason = try? await session.receive(frames) {
                    channel.triggerUserOutboundEvent(reason, promise: nil)
                    channel.eventLoop.scheduleTask(in: Responder.lingering) { channel.close(promise: nil) }
                }
                // What the client has planned is done whatever becomes of this task.
                await Task { await session.end() }.value
            }
            var body = body
            // A write fails where the client is gone, which whoever reads finds too.
            try? await session.send(to: &body)
            // Nothing goes out any more, and nobody is to wait for it.
            session.outbox.finish()
            try? await body.finish(nil)
        }
        logger.debug("A session has ended", metadata: ["event": "socket.closed", "database": "\(session.database)"])
    }

    /// Throws where the request comes by a name or from a page that may not have a session. Unlike an answer, a session
    /// can be read by any page that has one.
    private func checkSocket(_ origin: CrossOrigin, _ authority: String?, _ database: String) throws(Refusal) {
        let isKnown = hosts.contain(authority)
        let isOwn = !origin.isForeign || (isKnown && origin.isOf(authority))
        let isOpen = rulesStore.rules(database) == nil
        if options.isEmulator, !isOwn { throw .foreignPageAtEmulator }
        if isOpen || options.isEmulator, !isKnown { throw .unknownHost }
        if isOpen, !isOwn { throw .foreignPage }
    }

    /// A name that nobody can guess.
    private static func sessionID() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var random = SystemRandomNumberGenerator()
        return String((0..<32).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }
}
