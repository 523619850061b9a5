internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import SecurityRules

extension Responder {
    /// Throws a refusal where the rules forbid reading, or know no index for the query.
    func checkReading(_ request: RestRequest, _ path: WirePath) throws(Refusal) {
        guard let rules = rulesStore.rules(request.database) else { return }
        let subscription = Subscription(request, at: path)
        guard
            request.principal.mayRead(
                subscription, of: commits.root(request.database), by: rules, now: options.time.now())
        else { throw .permissionDenied }
        if let query = request.query, !rules.isIndexed(query.order, at: path) {
            throw .missingIndex(query.order, path)
        }
    }

    func get(_ request: RestRequest, _ path: WirePath) async throws -> Reply {
        try checkReading(request, path.node)
        if let query = request.query, request.timeout == nil {
            try await commits.makeIndex(query.order, at: path, in: request.database)
        }
        let reading = Reading(request, commits.root(request.database), path)
        return reading.takesLong ? try await WorkerPool.run { try reading.reply() } : try reading.reply()
    }
}

/// One read of one state of a database.
private struct Reading: Sendable {
    private let request: RestRequest
    private let root: Root
    private let path: WirePath
    private let node: Node?
    private let form: NodeEncoder.Form
    private let deadline: ReadDeadline?

    init(_ request: RestRequest, _ root: Root, _ path: WirePath) {
        self.request = request
        self.root = root
        self.path = path
        node = root.value(at: path)
        form = request.isShallow ? .shallow : root.form(isExport: request.isExport)
        deadline = request.timeout.map { ReadDeadline($0) }
    }

    /// Whether more must be looked at than goes out as the answer is taken.
    var takesLong: Bool {
        guard case .branch(let pages) = node else { return false }
        if request.wantsETag || request.ifNoneMatch != nil || deadline != nil { return true }
        guard let query = request.query, pages.count > Root.minIndexed else { return false }
        return (query.limit?.count ?? .max) > Root.minIndexed || !root.isOrdered(query.order, at: path)
    }

    func reply() throws -> Reply {
        var etag: ETag?
        if request.wantsETag || request.ifNoneMatch != nil {
            etag = Node.etag(node)
            if etag == request.ifNoneMatch { return Reply(.notModified, .none, etag: etag) }
        }
        let result = try root.shown(node, at: path, by: request.query) { try deadline?.check() }
        if let deadline, let result { try Reading.check(deadline, result, form) }
        if request.print == .silent { return Reply(.noContent, .none, etag: etag) }
        var reply = Reply(result, form, etag: etag)
        if request.query != nil, result == nil { reply.body = .text(NodeEncoder.noChildren) }
        reply.isPretty = request.print == .pretty
        reply.download = request.download
        reply.callback = request.callback
        return reply
    }

    /// Makes the text once before it is sent, because after that it is too late for a refusal.
    private static func check(_ deadline: ReadDeadline, _ node: Node, _ form: NodeEncoder.Form) throws {
        var pieces = NodeEncoder(node, form)
        repeat { try deadline.check() } while pieces.next() != nil
    }
}

extension NodeEncoder {
    /// What a query answers that selects nothing.
    fileprivate static let noChildren = Array("{}".utf8)
}
