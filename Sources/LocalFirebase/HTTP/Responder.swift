internal import HTTPTypes
internal import HummingbirdCore
internal import JSONText
internal import Logging
internal import NIOCore
internal import RTDBWire
internal import SyncModel
internal import Synchronization

/// Answers requests: reads from the published tree, sends writes through the commit queue.
final class Responder: Sendable {
    let commits: CommitQueue
    let listeners: Listeners
    let ruleBook: RuleBook
    let credentials: CredentialCheck
    let options: LocalFirebaseOptions
    let logger: Logger
    private let date = DateHeader()
    private let pushIDs = Mutex(PushID())

    init(
        commits: CommitQueue, listeners: Listeners, ruleBook: RuleBook, options: LocalFirebaseOptions, logger: Logger
    ) {
        self.commits = commits
        self.ruleBook = ruleBook
        credentials = CredentialCheck(options, wallClock: options.time.now)
        self.listeners = listeners
        self.options = options
        self.logger = logger
    }

    func respond(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        var asked: RestRequest
        let identity: Identity
        do throws(WireRefusal) {
            asked = try RestRequest(request.head)
            identity = try await self.identity(asked)
            asked.authority = identity.authority
        } catch {
            var reply = Reply(error)
            if request.method == .head { reply.body = .none }
            return try await send(reply, writer)
        }
        if asked.wantsStream, case .data(let path) = asked.target {
            do {
                try checkReading(asked, path)
            } catch {
                return try await send(Reply(error), writer)
            }
            return try await stream(asked, path, identity, request, writer, channel)
        }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        try await send(try await reply(to: asked, request), writer)
    }

    private func reply(to asked: RestRequest, _ request: Request) async throws -> Reply {
        do {
            return try await answer(asked, request)
        } catch let refusal as WireRefusal {
            return Reply(refusal)
        } catch let error as DataError {
            return Reply(WireRefusal(500, error.message))
        }
    }

    private func answer(_ asked: RestRequest, _ request: Request) async throws -> Reply {
        switch (asked.target, asked.method) {
        case (.data(let path), .get): return try get(asked, path)
        case (.data(let path), .put): return try await put(asked, path, try await value(request))
        case (.data(let path), .post): return try await post(asked, path, try await value(request))
        case (.data(let path), .patch): return try await patch(asked, path, try await value(request))
        case (.data(let path), .delete): return try await put(asked, path, .null)
        case (.priority, .get): return Reply(nil)
        case (.priority, _): throw WireRefusal.badRequest("Priorities are not supported by this server")
        case (.rules, .get): return try rules(asked)
        case (.rules, .put): return try await replaceRules(asked, request)
        case (.rules, _): throw WireRefusal(405, "Rules can be read with GET and replaced with PUT")
        }
    }

    // MARK: Reading

    /// Throws a refusal where the rules forbid reading, or know no index for the query.
    private func checkReading(_ asked: RestRequest, _ path: WirePath) throws(WireRefusal) {
        guard let rules = ruleBook.rules(asked.database) else { return }
        let interest = Interest(path: path, query: asked.query)
        guard asked.authority.mayRead(interest, of: commits.root(asked.database), by: rules, now: wallMilliseconds())
        else { throw .permissionDenied }
        if let query = asked.query, !rules.isIndexed(query.order, at: path) {
            throw .missingIndex(query.order, path)
        }
    }

    private func get(_ asked: RestRequest, _ path: WirePath) throws -> Reply {
        try checkReading(asked, path)
        var node = commits.root(asked.database).value(at: path)
        if let query = asked.query { node = node.flatMap { Node(children: $0.selected(by: query)) } }
        var etag: ETag?
        if asked.wantsETag || asked.ifNoneMatch != nil {
            etag = Node.etag(node)
            if etag == asked.ifNoneMatch { return Reply(.notModified, .none, etag: etag) }
        }
        if asked.print == .silent { return Reply(.noContent, .none, etag: etag) }
        var reply = Reply(node, etag: etag)
        if asked.query != nil, node == nil { reply.body = .text(Array("{}".utf8)) }
        if asked.isShallow, let node { reply.body = Responder.shallow(node) }
        if asked.isExport, let node { reply.body = .text(JSONWriter.text(node.uncoerced)) }
        if asked.print == .pretty { reply.body = Responder.pretty(reply.body) }
        reply.download = asked.download
        return reply
    }

    private static func shallow(_ node: Node) -> Reply.Body {
        if case .packed(_, let text) = node, CanonicalText.isLeaf(text[...]) { return .text(text) }
        var keys = SortedPages<Node>()
        node.forEachChild { key, _ in
            keys.update(key) { $0 = .packed(row: 0, text: [UInt8]("true".utf8)) }
            return true
        }
        return .node(.branch(keys))
    }

    private static func pretty(_ body: Reply.Body) -> Reply.Body {
        let text: [UInt8]
        switch body {
        case .none: return .none
        case .text(let plain): text = plain
        case .node(let node): text = node.text
        }
        return (try? JSONReader.value(text)).map { .text(PrettyText.text($0)) } ?? .text(text)
    }

    // MARK: Writing

    private func put(_ asked: RestRequest, _ path: WirePath, _ value: JSONValue) async throws -> Reply {
        try WireValue.check(value, depth: path.keys.count)
        let write = Write(put: Write.Value(value), at: path, in: asked.database, by: asked.authority, if: asked.ifMatch)
        switch try await commits.commit(write) {
        case .refused(let refusal): throw refusal
        case .mismatch(let current): return Reply(current, status: .preconditionFailed, etag: Node.etag(current))
        case .stored(let values):
            let stored = values.first ?? nil
            return written(asked, Reply(stored, etag: asked.wantsETag ? Node.etag(stored) : nil))
        }
    }

    private func post(_ asked: RestRequest, _ path: WirePath, _ value: JSONValue) async throws -> Reply {
        var random = SystemRandomNumberGenerator()
        let now = UInt64(max(0, wallMilliseconds()))
        let key = pushIDs.withLock { $0.next(now: now, using: &random) }
        guard path.keys.count < WirePath.maxDepth else { throw WireRefusal.tooDeep }
        var reply = try await put(asked, path.appending(key), value)
        if asked.print != .silent { reply.body = .text(JSONWriter.text(["name": .string(key.text)])) }
        return written(asked, reply)
    }

    private func patch(_ asked: RestRequest, _ path: WirePath, _ value: JSONValue) async throws -> Reply {
        if value == .null { return try await put(asked, path, value) }
        guard case .object(let members) = value, members[".sv"] == nil else {
            throw WireRefusal.badRequest("Invalid data; couldn't parse JSON object. A PATCH takes an object.")
        }
        let write = Write(patch: try WirePatch(members, base: path), at: path, in: asked.database, by: asked.authority)
        switch try await commits.commit(write) {
        case .refused(let refusal): throw refusal
        case .mismatch(let current): return Reply(current, status: .preconditionFailed)
        case .stored(let values):
            guard asked.print != .silent else { return Reply(.noContent, .none) }
            var text: [UInt8] = [UInt8(ascii: "{")]
            for (index, entry) in write.entries.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                JSONWriter.append(entry.path.text, to: &text)
                text.append(UInt8(ascii: ":"))
                text.append(contentsOf: values[index]?.text ?? Array("null".utf8))
            }
            text.append(UInt8(ascii: "}"))
            return written(asked, Reply(.ok, .text(text)))
        }
    }

    private func written(_ asked: RestRequest, _ reply: Reply) -> Reply {
        switch asked.print {
        case .plain: return reply
        case .silent: return Reply(.noContent, .none, etag: reply.etag)
        case .pretty: return Reply(reply.status, Responder.pretty(reply.body), etag: reply.etag)
        }
    }

    private func value(_ request: Request) async throws -> JSONValue {
        let text = try await body(request)
        do {
            return try text.withUnsafeReadableBytes { try JSONReader.value($0.bindMemory(to: UInt8.self)) }
        } catch {
            throw WireRefusal.invalidJSON
        }
    }

    func body(_ request: Request) async throws -> ByteBuffer {
        let tooBig = WireRefusal.badRequest(
            "WRITE_TOO_BIG: Data to write exceeds the maximum size that can be modified with a single request."
        )
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > options.maxBody { throw tooBig }
        var text = ByteBuffer()
        for try await chunk in request.body {
            var chunk = chunk
            if text.readableBytes == 0 { text = chunk } else { text.writeBuffer(&chunk) }
            guard text.readableBytes <= options.maxBody else { throw tooBig }
        }
        return text
    }

    // MARK: Sending

    /// The headers that all answers have.
    func head(_ status: HTTPResponse.Status, type: String?) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .date, value: date.text))
        fields.append(HTTPField(name: .cacheControl, value: "no-cache"))
        if let type { fields.append(HTTPField(name: .contentType, value: type)) }
        return HTTPResponse(status: status, headerFields: fields)
    }

    func send(_ reply: Reply, _ writer: consuming ResponseWriter) async throws {
        var head = head(reply.status, type: "application/json; charset=utf-8")
        if let etag = reply.etag { head.headerFields[.eTag] = etag.text }
        if let name = reply.download, reply.status == .ok {
            let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
            head.headerFields[.contentDisposition] = "attachment; filename=\"\(plain)\""
        }
        switch reply.body {
        case .none:
            head.headerFields[.contentType] = nil
            if reply.status != .noContent, reply.status != .notModified { head.headerFields[.contentLength] = "0" }
            try await writer.writeResponse(head)
        case .text(let text):
            head.headerFields[.contentLength] = String(text.count)
            try await writer.write(response: head, body: .init(byteBuffer: ByteBuffer(bytes: text)))
        case .node(let node):
            var body = try await writer.writeHead(head)
            var pieces = NodeText(node)
            while let piece = pieces.next() { try await body.write(ByteBuffer(bytes: piece)) }
            try await body.finish(nil)
        }
    }
}
