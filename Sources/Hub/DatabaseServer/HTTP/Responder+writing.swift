internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import HummingbirdCore
internal import JSONText
internal import SyncModel

extension Responder {
    /// How often a condition on a large node is compared anew when other writes come between.
    private static let comparisons = 8

    /// - Parameters:
    ///   - path: may be the place of a priority.
    ///   - text: the value; nil deletes.
    func put(_ request: RestRequest, _ path: WirePath, _ text: Body?) async throws -> Reply {
        let admission = text.map { text in
            Admission(
                SentWrite(.put, path, text), in: request.database, by: request.principal,
                if: request.ifMatch.map { WriteCondition($0) }, request.writeSizeLimit, to: self)
        }
        let write: Write
        do {
            if let short = try admission?.shortPut() {
                write = short
            } else if let long = try await admission?.write() {
                write = long
            } else {
                write = Write(put: .nothing, at: path, in: request.database, by: request.principal)
                try checkSize(of: write, 0, request.writeSizeLimit)
            }
        } catch let mismatch as Mismatch {
            return try await refused(request, mismatch.current)
        }
        let bytes = text?.count ?? 0
        let outcome =
            if let etag = request.ifMatch {
                try await commit(write, bytes: bytes, if: WriteCondition(etag))
            } else {
                try await commits.commit(write, bytes: bytes)
            }
        switch outcome {
        case .refused(let refusal): throw refusal
        case .stale: throw Refusal(503, "What if-match is about changes all the time: try again")
        case .mismatch(let current): return try await refused(request, current)
        case .stored(let values):
            let stored = values.first ?? nil
            let form: NodeEncoder.Form = write.hasPriorities ? .plain : .stored
            guard !write.addsToWhatIsThere || mayRead(write) else { return written(request, Reply(.ok, .null)) }
            return written(request, Reply(stored, form, etag: request.wantsETag ? try await etag(stored) : nil))
        }
    }

    /// The answer where something else is there than `if-match` says.
    private func refused(_ request: RestRequest, _ current: Node?) async throws -> Reply {
        let form = commits.root(request.database).form()
        return written(request, Reply(current, form, status: .preconditionFailed, etag: try await etag(current)))
    }

    func post(_ request: RestRequest, _ path: WirePath, _ text: Body) async throws -> Reply {
        let key = nextPushID()
        guard path.keys.count < WirePath.maxDepth else { throw Refusal.tooDeep }
        var reply = try await put(request, path.appending(key), text)
        if request.print != .silent { reply.body = .text(JSONWriter.text(["name": .string(key.text)])) }
        return reply
    }

    func patch(_ request: RestRequest, _ path: WirePath, _ text: Body) async throws -> Reply {
        let sent = SentWrite(.patch, path, text)
        let write = try await Admission(
            sent, in: request.database, by: request.principal, request.writeSizeLimit, to: self
        ).write()
        guard let write else { return try await put(request, path, nil) }
        switch try await commits.commit(write, bytes: text.count) {
        case .refused(let refusal): throw refusal
        case .mismatch, .stale: throw Refusal.badRequest("ETags are not supported with PATCH")
        case .stored(let values):
            guard request.print != .silent else { return Reply(.noContent, .none) }
            guard !write.addsToWhatIsThere || mayRead(write) else { return Reply(.ok, .null) }
            let form: NodeEncoder.Form = write.hasPriorities ? .plain : .stored
            var text: [UInt8] = [UInt8(ascii: "{")]
            for (index, entry) in write.entries.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                JSONWriter.append(entry.path.text, to: &text)
                text.append(UInt8(ascii: ":"))
                text.append(contentsOf: values[index]?.text(form) ?? Array("null".utf8))
            }
            text.append(UInt8(ascii: "}"))
            return written(request, Reply(.ok, .text(text)))
        }
    }

    /// Applies `write` where what is there is what the condition says. That is compared outside of the one writer where it is
    /// large.
    ///
    /// - Parameter bytes: how long the text of the write is.
    func commit(_ write: Write, bytes: Int, if condition: WriteCondition) async throws -> WriteOutcome {
        // That a guess was right tells as much as reading.
        guard mayRead(write) else { return .refused(.permissionDenied) }
        var write = write
        var outcome = WriteOutcome.stale
        for _ in 0..<Responder.comparisons {
            var condition = condition
            let current = commits.root(write.database).value(at: write.base)
            if case .branch = current {
                condition = try await WorkerPool.run { [condition] in condition.compared(with: current) }
            }
            write.condition = condition
            outcome = try await commits.commit(write, bytes: bytes)
            guard case .stale = outcome else { break }
            write.judgement = nil
        }
        return outcome
    }

    private func etag(_ node: Node?) async throws -> ETag {
        guard case .branch = node else { return Node.etag(node) }
        return try await WorkerPool.run { Node.etag(node) }
    }

    private func written(_ request: RestRequest, _ reply: Reply) -> Reply {
        if request.print == .silent { return Reply(.noContent, .none, etag: reply.etag) }
        var reply = reply
        reply.isPretty = request.print == .pretty
        return reply
    }

    /// Whether the sender may read the place of the write, and so may be told what was there.
    private func mayRead(_ write: Write) -> Bool { mayRead(write.base, in: write.database, by: write.principal) }

    func mayRead(_ path: WirePath, in database: String, by principal: Principal) -> Bool {
        guard let rules = rulesStore.rules(database) else { return true }
        return principal.mayRead(
            Subscription(path: path, query: nil), of: commits.root(database), by: rules, now: options.time.now())
    }

    /// Throws a refusal where the write puts and removes more than its `writeSizeLimit`.
    ///
    /// - Parameter bytes: how long the text of the write is.
    func checkSize(of write: Write, _ bytes: Int, _ limit: WriteSizeLimit? = nil) throws {
        try checkSize(bytes, write.base, in: write.database, by: write.principal, limit) { body in
            for entry in write.entries { guard try body(write.base.appending(entry.path)) else { return false } }
            return true
        }
    }

    /// - Parameter forEachPlace: calls what it is given with each place that is written, until that returns false.
    func checkSize(
        _ bytes: Int, _ base: WirePath, in database: String, by principal: Principal, _ limit: WriteSizeLimit?,
        _ forEachPlace: ((WirePath) throws -> Bool) throws -> Bool
    ) throws {
        guard let limit = (limit ?? rulesStore.ownWriteSizeLimit(database))?.bytes else { return }
        let root = commits.root(database)
        var size = bytes
        // How large something is tells what is there.
        if mayRead(base, in: database, by: principal) {
            _ = try forEachPlace { place in
                guard size <= limit else { return false }
                size += root.value(at: place)?.size(upTo: limit - size) ?? 0
                return true
            }
        }
        guard size <= limit else { throw Refusal.writeTooBig }
    }
}
