internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import HummingbirdCore
internal import JSONText
internal import Logging
internal import NIOCore
internal import SyncModel
internal import Synchronization

/// Answers requests: reads from the published tree, sends writes through the commit queue.
final class Responder: Sendable {
    let commits: CommitQueue
    let listeners: Listeners
    let rulesStore: RulesStore
    let credentials: Authenticator
    /// Nil where no accounts are served.
    let accounts: AccountDesk?
    let options: ServerConfiguration
    let logger: Logger
    let bodies: BodyBudget
    /// The most bytes of a body of nobody, where rules hold, and of all such bodies from one network together.
    let anonymousBody: Int
    let hosts: KnownHosts
    let sockets = OpenSockets()
    private let packing = PackingPace()
    private let date = DateHeader()
    private let pushIDs = Mutex(PushID())

    init(
        commits: CommitQueue, listeners: Listeners, rulesStore: RulesStore, accounts: AccountDesk? = nil,
        options: ServerConfiguration, logger: Logger
    ) {
        self.commits = commits
        self.rulesStore = rulesStore
        self.accounts = accounts
        credentials = Authenticator(options, accounts: accounts, wallClock: options.time.now)
        self.listeners = listeners
        self.options = options
        self.logger = logger
        anonymousBody = options.maxBody / 4
        bodies = BodyBudget(
            limit: 2 * options.maxBody, anonymousLimit: 2 * anonymousBody, networkLimit: anonymousBody
        ) { [maintenance = commits.maintenance] in
            if $0 > 1 << 20 { maintenance.released($0) }
        }
        hosts = KnownHosts(options.names.union([options.host]))
    }

    func respond(_ rawRequest: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        if !RestRequest.isMeant(by: rawRequest.head) {
            if SocketRoute.isMeant(by: rawRequest.head) { return try await socket(rawRequest, writer, channel) }
            if let route = accountRoute(of: rawRequest.head) {
                return try await answer(route, rawRequest, writer, channel)
            }
            if let call = objectCall(of: rawRequest.head) { return try await answer(call, rawRequest, writer, channel) }
        }
        try await respondOfDatabase(rawRequest, writer, channel)
    }

    private func respondOfDatabase(
        _ rawRequest: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        var request: RestRequest
        let identity: Identity
        do throws(Refusal) {
            request = try RestRequest(rawRequest.head)
            identity = try await self.identity(request)
            request.principal = identity.principal
        } catch {
            return try await refuse(Reply(error), rawRequest, writer, channel, for: CrossOrigin(rawRequest.head))
        }
        do {
            try await admit(request, rawRequest.head.authority)
        } catch let refusal as Refusal {
            return try await refuse(Reply(refusal), rawRequest, writer, channel, for: request.origin)
        }
        if let reply = preflight(request) { return try await conclude(reply, request, rawRequest, writer, channel) }
        if request.wantsStream, case .data(let path) = request.target {
            do {
                try checkReading(request, path)
            } catch {
                return try await conclude(Reply(error), request, rawRequest, writer, channel)
            }
            return try await stream(request, path, identity, rawRequest, writer, channel)
        }
        var reply: Reply
        do {
            if request.readsBody, rawRequest.headers[.expect]?.lowercased() == "100-continue" {
                _ = try allowance(for: rawRequest, request)
                try await writer.writeInformationalHead(HTTPResponse(status: .continue))
            }
            reply = try await self.reply(to: request, rawRequest, channel)
        } catch let unread as UnreadBody {
            return try await refuse(Reply(unread.refusal), rawRequest, writer, channel, for: request.origin)
        }
        reply.isHead = request.isHead
        // What is left of it says that the answer is packed.
        (reply.isPacked, reply.loop) = (rawRequest.headers.contains(.acceptEncoding), channel.eventLoop)
        try await conclude(reply, request, rawRequest, writer, channel)
    }

    /// Throws a refusal where the request is not one to be answered, whatever its body is.
    private func admit(_ request: RestRequest, _ authority: String?) async throws {
        try checkOrigin(request, authority)
        guard request.method != .options else { return }
        try await waitUntilLoaded()
        try await checkWriting(request)
    }

    func waitUntilLoaded() async throws {
        guard !commits.isLoaded.isOpen else { return }
        logger.debug("A request waits until all is loaded", metadata: ["event": "request.waiting"])
        try await commits.isLoaded.wait()
    }

    private func reply(
        to request: RestRequest, _ rawRequest: Request, _ channel: any Channel
    ) async throws -> Reply {
        do {
            return try await answer(request, rawRequest, channel)
        } catch let refusal as Refusal {
            return Reply(refusal)
        } catch let error as StorageError {
            return Reply(Refusal(500, error.message))
        }
    }

    private func answer(
        _ request: RestRequest, _ rawRequest: Request, _ channel: any Channel
    ) async throws -> Reply {
        switch (request.target, request.method) {
        case (.data(let path), .get): return try await get(request, path)
        case (.data(let path), .put):
            return try await put(request, path, try await body(rawRequest, of: request, from: channel))
        case (.data(let path), .post):
            return try await post(request, path, try await body(rawRequest, of: request, from: channel))
        case (.data(let path), .patch):
            return try await patch(request, path, try await body(rawRequest, of: request, from: channel))
        case (.data(let path), .delete): return try await put(request, path, nil)
        case (.priority(let path), .get): return try await get(request, path.appending(.priority))
        case (.priority(let path), .put):
            return try await put(
                request, path.appending(.priority), try await body(rawRequest, of: request, from: channel))
        case (.priority(let path), .post), (.priority(let path), .patch), (.priority(let path), .delete):
            return try await put(request, path.appending(.priority), nil)
        case (.data, .options), (.priority, .options): throw Refusal(405, "OPTIONS is answered before")
        case (.setting(let setting), _): return try await self.setting(setting, request, rawRequest, channel)
        }
    }

    func nextPushID() -> WireKey {
        var random = SystemRandomNumberGenerator()
        let now = UInt64(max(0, wallMilliseconds()))
        return pushIDs.withLock { $0.next(now: now, using: &random) }
    }

    /// The answer to a question of a web page what it may send; nil to go on.
    private func preflight(_ request: RestRequest) -> Reply? {
        guard request.method == .options else { return nil }
        var reply = Reply(.ok, .none)
        if rulesStore.rules(request.database) == nil {
            reply.fields[.allow] = "GET, PUT, PATCH, POST, DELETE"
        } else {
            request.origin.appendPermissions(to: &reply.fields)
        }
        return reply
    }

    // MARK: Sending

    /// How many bytes the text of `node` has. An answer without a body has to say it: where it would come in chunks, the end
    /// of these would be told too.
    private func length(of node: Node, _ form: NodeEncoder.Form, isPretty: Bool) async -> Int {
        var (length, pieces, layout) = (0, NodeEncoder(node, form), isPretty ? PrettyPrinter() : nil)
        while let piece = pieces.next() {
            length += layout?.text(piece).count ?? piece.count
            await Task.yield()
        }
        return length
    }

    /// How many headers most answers have.
    private static let usualFields = 5
    private static let noCache = HTTPField(name: .cacheControl, value: "no-cache")

    /// The headers that all answers have.
    func head(_ status: HTTPResponse.Status, _ type: HTTPField, for origin: CrossOrigin) -> HTTPResponse {
        var fields = HTTPFields()
        fields.reserveCapacity(Responder.usualFields)
        fields.append(date.field)
        fields.append(Responder.noCache)
        fields.append(type)
        if origin.origin != nil, rulesStore.rules(origin.database) != nil { origin.append(to: &fields) }
        return HTTPResponse(status: status, headerFields: fields)
    }

    func send(
        _ reply: Reply, _ writer: consuming ResponseWriter, for origin: CrossOrigin
    ) async throws {
        var head = head(reply.status, reply.contentType, for: origin)
        if let etag = reply.etag { head.headerFields[.eTag] = etag.text }
        if let disposition = reply.disposition { head.headerFields[.contentDisposition] = disposition }
        for field in reply.fields { head.headerFields[field.name] = field.value }
        let (opening, end) = reply.frame
        switch reply.body {
        case .none:
            head.headerFields[.contentType] = nil
            if reply.status != .noContent, reply.status != .notModified { head.headerFields[.contentLength] = "0" }
            try await writer.writeResponse(head)
        case .text(var text):
            if reply.isPretty {
                var layout = PrettyPrinter()
                text = layout.text(text)
            }
            if !opening.isEmpty || !end.isEmpty { text = opening + text + end }
            head.headerFields.append(HTTPField(name: .contentLength, value: String(text.count)))
            if reply.isHead { return try await writer.writeResponse(head) }
            try await writer.write(response: head, body: .init(byteBuffer: ByteBuffer(bytes: text)))
        case .node(let node, let form) where reply.isHead:
            let length = await length(of: node, form, isPretty: reply.isPretty) + opening.count + end.count
            head.headerFields.append(HTTPField(name: .contentLength, value: String(length)))
            try await writer.writeResponse(head)
        case .node(let node, let form):
            var body = try await writer.writeHead(head)
            var layout = reply.isPretty ? PrettyPrinter() : nil
            var pieces = NodeEncoder(node, form)
            if reply.isPacked { packing.begin() }
            defer { if reply.isPacked { packing.end() } }
            if !opening.isEmpty { try await body.write(ByteBuffer(bytes: opening)) }
            while let piece = pieces.next() {
                try await body.write(ByteBuffer(bytes: layout?.text(piece) ?? piece))
                guard let loop = reply.loop else { continue }
                if reply.isPacked { try await packing.wait(for: loop) } else { try await loop.catchUp() }
            }
            if !end.isEmpty { try await body.write(ByteBuffer(bytes: end)) }
            try await body.finish(nil)
        }
    }
}
