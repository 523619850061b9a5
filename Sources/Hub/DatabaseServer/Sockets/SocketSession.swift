internal import DatabaseTree
internal import FirebaseWire
internal import HTTPListening
internal import HummingbirdCore
internal import NIOCore
internal import SecurityRules
internal import SyncModel
internal import Synchronization

/// One open WebSocket: does what its machine decides.
///
/// Messages are dealt with one after the other, but for writes: those wait in line for the disk together. A client hears
/// of what it has written before it is told that it has.
final class SocketSession: Sendable {
    let id: String
    let database: String
    let responder: Responder
    let outbox: SocketOutbox
    /// Opens when all is done that the end of the session asks for.
    let hasEnded = Latch()
    let machine = Mutex(SocketMachine())
    let listening = Mutex<[Int: SocketListener]>([:])
    private let expiry = Mutex<Task<Void, Never>?>(nil)
    let writes = Turnstile()
    private let channel: any Channel
    private let network: RemoteNetwork?

    /// - Parameter cut: is told how many bytes waited when the client was too slow.
    init(
        id: String, database: String, responder: Responder, channel: any Channel,
        cut: @escaping @Sendable (Int) -> Void
    ) {
        self.id = id
        self.database = database
        self.responder = responder
        self.channel = channel
        network = RemoteNetwork(channel.remoteAddress)
        outbox = SocketOutbox(limit: responder.options.listenerBuffer) { [channel] bytes in
            cut(bytes)
            channel.close(promise: nil)
        }
    }

    var identity: Identity { machine.withLock(\.identity) }

    var principal: Principal { identity.principal }

    // MARK: Life

    /// Deals with what comes until the client goes, or does what no client does: then it returns why it can't go on.
    func receive(_ frames: RequestBody) async throws -> SocketEnd? {
        var assembly = FrameAssembly(limit: responder.options.maxBody)
        var share: BodyShare?
        for try await frame in frames {
            let message = share ?? bodyShare()
            guard message.take(frame.readableBytes) else {
                return message.isTooBig(with: frame.readableBytes) ? .tooBig : .tryAgainLater
            }
            switch assembly.take(frame) {
            case .none:
                if assembly.isBegun, share == nil { wait(for: .more) }
                share = assembly.isBegun ? message : nil
            case .broken(let reason): return reason
            case .message(let text):
                if share != nil { wait(for: .next) }
                share = nil
                guard text.readableBytes <= limit else { return .tooBig }
                guard let effects = try await effects(of: text) else {
                    outbox.send(SocketReply.fault("This is no message of the protocol"))
                    return .invalidText
                }
                for effect in effects { try await perform(effect, message) }
            }
        }
        return nil
    }

    /// Says whether what comes now belongs to a message that has begun, which must not take for ever.
    private func wait(for wait: SocketWait) { channel.triggerUserOutboundEvent(wait, promise: nil) }

    /// What a message asks for; nil where it is none. The text is not kept but in what is to be written.
    private func effects(of text: ByteBuffer) async throws -> [SocketMachine.Effect]? {
        let message = try await WorkerPool.read(bytes: text.readableBytes) { SocketMessage(text) }
        return message.map { parsed in machine.withLock { $0.receive(parsed) } }
    }

    /// Writes what waits until the end.
    func send(to body: inout some ResponseBodyWriter) async throws {
        while let items = await outbox.next() {
            var frames = ByteBuffer()
            for item in items {
                switch item {
                case .frames(var more): frames.writeBuffer(&more)
                case .reading(let reading):
                    try await flush(&frames, to: &body)
                    try await reading.write(to: &body, on: channel.eventLoop)
                    outbox.sent(reading)
                }
                if frames.readableBytes >= SocketSession.joinedSize { try await flush(&frames, to: &body) }
            }
            try await flush(&frames, to: &body)
        }
    }

    /// Does once what the end asks for, and returns when it is on the disk.
    func end() async {
        for effect in machine.withLock({ $0.end() }) { try? await perform(effect, nil) }
        expiry.withLock { $0?.cancel() }
        outbox.finish()
        hasEnded.open()
    }

    /// Closes the connection at once.
    func close() { channel.close(promise: nil) }

    private static let joinedSize = 256 * 1024

    private func flush(_ frames: inout ByteBuffer, to body: inout some ResponseBodyWriter) async throws {
        guard frames.readableBytes > 0 else { return }
        try await body.write(frames)
        outbox.sent(frames.readableBytes)
        frames = ByteBuffer()
    }

    private var isAnonymous: Bool { principal.isNobody && responder.rulesStore.rules(database) != nil }

    /// The most bytes of a message of whoever this is now.
    private var limit: Int { isAnonymous ? responder.anonymousBody : responder.options.maxBody }

    private func bodyShare() -> BodyShare {
        BodyShare(of: responder.bodies, for: isAnonymous ? .nobody(network) : .somebody)
    }

    // MARK: Effects

    private func perform(_ effect: SocketMachine.Effect, _ share: BodyShare?) async throws {
        switch effect {
        case .send(let text): outbox.send(text)
        case .listen(let id, let listen, let known, let number):
            await outbox.room()
            await writes.empty()
            try await self.listen(id, listen, known, number)
        case .unlisten(let id): unlisten(id)
        case .read(let path, let query, let number):
            await outbox.room()
            await writes.empty()
            await read(path, query, number)
        case .write(let write, let hash, let number): await self.write(write, hash: hash, number, share)
        case .plan(let write, let number): await plan(write, number)
        case .identify(let credential, let number):
            await writes.empty()
            try await identify(credential, number)
        case .judgeListens: judgeListens()
        case .perform(let orders, let principal): await perform(orders, principal)
        }
    }

    /// For effects that come at other moments than messages, which never wait.
    func performAtOnce(_ effects: [SocketMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let text): outbox.send(text)
            case .unlisten(let id): unlisten(id)
            case .judgeListens: judgeListens()
            default: continue
            }
        }
    }

    func answer(_ number: Int?, _ refusal: Refusal) { performAtOnce(SocketMachine.answer(number, refusal)) }

    // MARK: Listening

    private func listen(
        _ id: Int, _ listen: SocketMachine.Listen, _ known: KnownValue?, _ number: Int?
    ) async throws {
        let subscription = Subscription(path: listen.path, query: listen.query, isExport: true, wire: .socket)
        if let query = listen.query {
            try await responder.commits.makeIndex(query.order, at: listen.path, in: database)
        }
        let answer = number.map { SocketReply.answer($0, "ok", .object(warnings(of: listen))) }
        let listener = SocketListener(responder.listeners.nextID(), subscription, tag: listen.tag, id, self)
        let isOpen = await responder.commits.betweenCommits { [self] in
            let root = responder.commits.root(database)
            guard mayRead(subscription, of: root) else { return false }
            listening.withLock { $0[id] = listener }
            let reading = SocketReading(root, subscription, tag: listen.tag, known: known, follower: answer)
            responder.listeners.add(listener, to: subscription, of: root) { [outbox] in outbox.add(reading) }
            return true
        }
        guard isOpen else {
            return performAtOnce(machine.withLock { $0.refused(id, .permissionDenied, number: number) })
        }
        // Who this is may have changed before the listener was among those that are judged then.
        if !mayRead(subscription, of: responder.commits.root(database)) { revoke(id) }
    }

    private func mayRead(_ subscription: Subscription, of root: Root) -> Bool {
        guard let rules = responder.rulesStore.rules(database) else { return true }
        return principal.mayRead(subscription, of: root, by: rules, now: responder.options.time.now())
    }

    private func warnings(of listen: SocketMachine.Listen) -> [String: JSONValue] {
        guard let query = listen.query, let rules = responder.rulesStore.rules(database),
            !rules.isIndexed(query.order, at: listen.path)
        else { return [:] }
        return ["w": ["no_index"]]
    }

    private func unlisten(_ id: Int) {
        guard let listener = listening.withLock({ $0.removeValue(forKey: id) }) else { return }
        responder.listeners.remove(listener.id, from: listener.subscription, in: database)
    }

    /// Runs `body` where a listener goes on, which it does meanwhile.
    func whileListening(_ number: Int, _ id: Int, _ body: () -> Void) {
        listening.withLock { if $0[number]?.id == id { body() } }
    }

    /// The rules don't let this listener go on.
    func revoke(_ id: Int) { performAtOnce(machine.withLock { $0.revoke(id) }) }

    /// Ends the listens that whoever this is now may not go on with.
    private func judgeListens() {
        guard responder.rulesStore.rules(database) != nil else { return }
        let root = responder.commits.root(database)
        for (id, listener) in listening.withLock({ $0 }) where !mayRead(listener.subscription, of: root) { revoke(id) }
    }

    private func read(_ path: WirePath, _ query: Query?, _ number: Int?) async {
        guard let number else { return }
        let subscription = Subscription(path: path, query: query, isExport: true, wire: .socket)
        let root = responder.commits.root(database)
        guard mayRead(subscription, of: root) else { return answer(number, .permissionDenied) }
        if let query, responder.rulesStore.rules(database)?.isIndexed(query.order, at: path) == false {
            return answer(number, .missingIndex(query.order, path))
        }
        outbox.add(SocketReading(root, subscription, answering: number))
    }

    // MARK: Who it is

    private func identify(_ credential: Credential, _ number: Int?) async throws {
        let result: Result<Identity, Refusal>
        do throws(Refusal) {
            result = .success(try await responder.credentials.identity(of: credential))
        } catch {
            // Where no rules hold everybody may do everything, with any credential.
            result = responder.rulesStore.rules(database) == nil ? .success(.nobody) : .failure(error)
        }
        performAtOnce(machine.withLock { $0.identified(result, number: number) })
        guard case .success(let identity) = result else { return }
        let time = responder.options.time
        let watch = identity.expires.map { end in
            Task { [weak self] in
                guard (try? await time.wait(end)) != nil else { return }
                self?.expire(at: end)
            }
        }
        expiry.withLock { old in
            old?.cancel()
            old = watch
        }
    }

    private func expire(at end: Int64) { performAtOnce(machine.withLock { $0.expired(at: end) }) }
}
