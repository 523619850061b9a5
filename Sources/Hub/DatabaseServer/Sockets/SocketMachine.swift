internal import DatabaseTree
internal import FirebaseWire
internal import NIOCore
internal import SyncModel

/// What one session knows and decides: what comes in, what is to be done out.
struct SocketMachine: Sendable {
    /// A place that the client listens to.
    struct Listen: Sendable {
        let path: WirePath
        let query: Query?
        /// The query as the client wrote it, by which it knows it again.
        let queryText: JSONValue?
        let tag: Int?

        /// A tag is the name of one query; what has none is told apart by the query.
        fileprivate var name: Name { Name(path: path, query: tag == nil ? query : nil, tag: tag) }
    }

    fileprivate struct Name: Hashable, Sendable {
        let path: WirePath
        let query: Query?
        let tag: Int?
    }

    /// Something that is to be done; the answer to `number` comes when it is done.
    enum Effect: Sendable {
        case send([UInt8])
        /// Begins to listen, under this id.
        case listen(Int, Listen, known: KnownValue?, number: Int?)
        case unlisten(Int)
        case read(WirePath, Query?, number: Int?)
        case write(SentWrite, hash: String?, number: Int?)
        case plan(SentWrite, number: Int?)
        case identify(Credential, number: Int?)
        /// Looks for listens that the client may not go on with.
        case judgeListens
        /// Does what was planned for the end.
        case perform([WriteOrder], Principal)
    }

    /// The most places that one session listens to.
    static let maxListens = 10_000

    private(set) var identity = Identity.nobody
    private var listens: [Int: Listen] = [:]
    private var ids: [Name: Int] = [:]
    private var plan = DisconnectPlan()
    private var lastListen = 0
    private var hasEnded = false

    // MARK: Requests

    /// A message has come. Nothing happens after the end.
    mutating func receive(_ message: SocketMessage) -> [Effect] {
        guard !hasEnded else { return [] }
        switch message {
        case .ping: return [.send(SocketReply.pong)]
        case .notice: return []
        case .request(let request):
            do throws(Refusal) {
                return try effects(of: request)
            } catch {
                return SocketMachine.answer(request.number, error)
            }
        }
    }

    private mutating func effects(of request: SocketRequest) throws(Refusal) -> [Effect] {
        let number = request.number
        if let info = request.info, let effects = SocketMachine.tell(info, request) { return effects }
        switch request.action {
        case "q", "l": return try listen(request)
        case "n", "u": return try unlisten(request)
        case "g": return [.read(try request.dataPath(), try request.query(), number: number)]
        case "p", "m": return [try write(request, .write)]
        case "o", "om": return [try write(request, .plan)]
        case "oc":
            plan.cancel(try request.path())
            return SocketMachine.answer(number)
        case "auth", "gauth": return [.identify(try request.credential(), number: number)]
        case "unauth":
            identity = .nobody
            return SocketMachine.answer(number) + [.judgeListens]
        case "s", "appcheck", "unappcheck": return SocketMachine.answer(number)
        default: throw .badRequest("There is no action \(request.action.prefix(40))")
        }
    }

    /// What the server tells of itself, which never changes; nil for what else is asked of it.
    private static func tell(_ info: [Substring], _ request: SocketRequest) -> [Effect]? {
        let value = info.count > 1 ? .null : ServerInfo.value(info.first.map(String.init))
        switch request.action {
        case "g": return answer(request.number, data: value)
        case "q", "l":
            let path = ([".info"] + info).joined(separator: "/")
            var body: [String: JSONValue] = ["p": .string(path), "d": value]
            if let tag = request.body.integer("t") { body["t"] = .integer(Int64(tag)) }
            return [.send(SocketReply.push("d", .object(body)))] + answer(request.number, data: [:])
        case "n", "u": return answer(request.number)
        default: return nil
        }
    }

    private enum Purpose { case write, plan }

    private func write(_ request: SocketRequest, _ purpose: Purpose) throws(Refusal) -> Effect {
        let isMerge = request.action.hasSuffix("m")
        let kind = isMerge ? Write.Kind.patch : .put
        let path = isMerge ? try request.dataPath() : try request.path()
        guard let value = request.body.json("d") else { throw .badRequest("Invalid data: d is missing") }
        let write = SentWrite(kind, path, value)
        guard purpose == .write else {
            guard !plan.isFull(for: write.count) else { throw .tooManyPlans }
            return .plan(write, number: request.number)
        }
        let hash = try request.body.readable("h") ?? .null
        // A condition that can't be read is not left out.
        guard hash == .null || hash.text != nil else { throw .badRequest("Invalid hash: h must be a string") }
        return .write(write, hash: hash.text, number: request.number)
    }

    private mutating func listen(_ request: SocketRequest) throws(Refusal) -> [Effect] {
        let listen = Listen(
            path: try request.dataPath(), query: try request.query(), queryText: request.body.value("q"),
            tag: request.body.integer("t"))
        let old = ids[listen.name]
        guard old != nil || listens.count < SocketMachine.maxListens else { throw .tooManyListens }
        if let old { forget(old) }
        lastListen += 1
        listens[lastListen] = listen
        ids[listen.name] = lastListen
        let begin = Effect.listen(lastListen, listen, known: KnownValue(request.body), number: request.number)
        return (old.map { [.unlisten($0)] } ?? []) + [begin]
    }

    private mutating func unlisten(_ request: SocketRequest) throws(Refusal) -> [Effect] {
        let listen = Listen(
            path: try request.dataPath(), query: try request.query(), queryText: nil, tag: request.body.integer("t"))
        let id = ids[listen.name]
        if let id { forget(id) }
        return (id.map { [.unlisten($0)] } ?? []) + SocketMachine.answer(request.number)
    }

    @discardableResult
    private mutating func forget(_ id: Int) -> Listen? {
        guard let listen = listens.removeValue(forKey: id) else { return nil }
        ids[listen.name] = nil
        return listen
    }

    // MARK: What has become of it

    /// A listen was refused before it began.
    mutating func refused(_ id: Int, _ refusal: Refusal, number: Int?) -> [Effect] {
        forget(id)
        return SocketMachine.answer(number, refusal)
    }

    /// The right to read is gone.
    mutating func revoke(_ id: Int) -> [Effect] {
        guard let listen = forget(id) else { return [] }
        var body: [String: JSONValue] = ["p": .string(listen.path.text)]
        if listen.query != nil, let query = listen.queryText { body["q"] = .array([query]) }
        return [.unlisten(id), .send(SocketReply.push("c", .object(body)))]
    }

    /// What is to be written at the end was found to be allowed now.
    mutating func planned(_ order: WriteOrder, bytes: Int, number: Int?) -> [Effect] {
        guard !hasEnded else { return [] }
        plan.add(order, bytes: bytes)
        return SocketMachine.answer(number)
    }

    /// Who the client is was found out, or not.
    mutating func identified(_ result: Result<Identity, Refusal>, number: Int?) -> [Effect] {
        switch result {
        case .success(let identity):
            self.identity = identity
            return SocketMachine.answer(number, data: SocketMachine.description(identity)) + [.judgeListens]
        case .failure(let refusal):
            return SocketMachine.answer(number, refusal)
        }
    }

    /// A credential has ended at `time`, if it is still the client's.
    mutating func expired(at time: Int64) -> [Effect] {
        guard !hasEnded, identity.expires == time else { return [] }
        identity = .nobody
        let body: JSONValue = ["s": "expired_token", "d": "Auth token is expired"]
        // Before the listens go: a client that knows why comes back with a new credential, and goes on with them.
        return [.send(SocketReply.push("ac", body)), .judgeListens]
    }

    /// The connection is gone, or goes. Only the first call does anything.
    mutating func end() -> [Effect] {
        guard !hasEnded else { return [] }
        hasEnded = true
        defer { (listens, ids) = ([:], [:]) }
        return listens.keys.map { .unlisten($0) } + [.perform(plan.take(), identity.principal)]
    }

    // MARK: Answers

    static func answer(_ number: Int?, _ refusal: Refusal) -> [Effect] {
        number.map { [.send(SocketReply.answer($0, refusal))] } ?? []
    }

    static func answer(_ number: Int?, data: JSONValue = "") -> [Effect] {
        number.map { [.send(SocketReply.answer($0, "ok", data))] } ?? []
    }

    private static func description(_ identity: Identity) -> JSONValue {
        var members: [String: JSONValue] = ["auth": .null]
        if case .client(let auth) = identity.principal { members["auth"] = auth }
        if let expires = identity.expires { members["expires"] = .integer(expires / 1000) }
        return .object(members)
    }
}

extension SocketRequest {
    /// What follows on `.info`; nil where something else is asked for.
    fileprivate var info: [Substring]? {
        guard let segments = body.text("p")?.pieces(between: "/"), segments.first == ".info" else { return nil }
        return Array(segments.dropFirst())
    }

    /// The place of data; a priority is none. Throws a refusal (400).
    fileprivate func dataPath() throws(Refusal) -> WirePath {
        let path = try path()
        guard !path.isPriority else { throw .invalidPath }
        return path
    }

    fileprivate func query() throws(Refusal) -> Query? { try SocketQuery.query(try body.readable("q")) }

    fileprivate func credential() throws(Refusal) -> Credential {
        guard let token = body.text("cred") else { throw .unreadableToken }
        var override = body.json("authvar").map { String(buffer: $0) }
        if body.truth("noauth") { override = "null" }
        return Credential(token: token, override: override)
    }
}

extension Refusal {
    fileprivate static let tooManyListens = badRequest(
        "A connection listens to at most \(SocketMachine.maxListens) places")
    fileprivate static let tooManyPlans = badRequest(
        "A connection plans at most \(DisconnectPlan.maxCount) writes and \(DisconnectPlan.maxBytes) bytes for its end")
}
