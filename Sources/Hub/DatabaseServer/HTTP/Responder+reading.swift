internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import SecurityRules

extension Responder {
    /// Throws a refusal where the rules forbid reading, or know no index for the query.
    func checkReading(_ asked: RestRequest, _ path: WirePath) throws(Refusal) {
        guard let rules = ruleBook.rules(asked.database) else { return }
        let interest = Subscription(path: path, query: asked.query, isExport: asked.isExport)
        guard asked.authority.mayRead(interest, of: commits.root(asked.database), by: rules, now: options.time.now())
        else { throw .permissionDenied }
        if let query = asked.query, !rules.isIndexed(query.order, at: path) {
            throw .missingIndex(query.order, path)
        }
    }

    func get(_ asked: RestRequest, _ path: WirePath) async throws -> Reply {
        try checkReading(asked, path.node)
        let reading = Reading(asked, commits.root(asked.database), path)
        return reading.takesLong ? try await LongWork.run { try reading.reply() } : try reading.reply()
    }
}

/// One read of one state of a database.
private struct Reading: Sendable {
    private let asked: RestRequest
    private let node: Node?
    private let form: NodeText.Form
    private let deadline: ReadDeadline?

    init(_ asked: RestRequest, _ root: Root, _ path: WirePath) {
        self.asked = asked
        node = root.value(at: path)
        form = asked.isShallow ? .shallow : root.form(isExport: asked.isExport)
        deadline = asked.timeout.map { ReadDeadline($0) }
    }

    /// Whether more must be looked at than goes out as the answer is taken.
    var takesLong: Bool {
        guard case .branch(let pages) = node else { return false }
        if asked.wantsETag || asked.ifNoneMatch != nil || deadline != nil { return true }
        return asked.query != nil && pages.count > 1024
    }

    func reply() throws -> Reply {
        var etag: ETag?
        if asked.wantsETag || asked.ifNoneMatch != nil {
            etag = Node.etag(node)
            if etag == asked.ifNoneMatch { return Reply(.notModified, .none, etag: etag) }
        }
        let result = try selected()
        if let deadline, let result { try Reading.check(deadline, result, form) }
        if asked.print == .silent { return Reply(.noContent, .none, etag: etag) }
        var reply = Reply(result, form, etag: etag)
        if asked.query != nil, result == nil { reply.body = .text(NodeText.noChildren) }
        reply.isPretty = asked.print == .pretty
        reply.download = asked.download
        reply.callback = asked.callback
        return reply
    }

    /// A leaf has no children to select from; without any bound nothing is left out.
    private func selected() throws -> Node? {
        guard let query = asked.query, let node, node.leaf == nil || query.isBounded else { return node }
        return Node(children: try node.selected(by: query) { try deadline?.check() })
    }

    /// Makes the text once before it is sent, because after that it is too late for a refusal.
    private static func check(_ deadline: ReadDeadline, _ node: Node, _ form: NodeText.Form) throws {
        var pieces = NodeText(node, form)
        repeat { try deadline.check() } while pieces.next() != nil
    }
}

extension NodeText {
    /// What a query answers that selects nothing.
    fileprivate static let noChildren = Array("{}".utf8)
}
