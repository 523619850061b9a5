internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import HummingbirdCore
internal import JSONText
internal import NIOCore
internal import SyncModel

extension Responder {
    /// How often a condition on a large node is compared anew when other writes come between.
    private static let comparisons = 8

    /// The rules are asked before a write waits whose body has more bytes than this.
    static let judgedBefore = 32 * 1024

    /// - Parameters:
    ///   - path: may be the place of a priority.
    ///   - text: the value; nil deletes.
    func put(_ request: RestRequest, _ path: WirePath, _ text: Body?) async throws -> Reply {
        let isDelete = text == nil
        let write = try await read(text) { bytes in
            if !isDelete,
                let write = try Write(.put, bytes, at: path, in: request.database, by: request.principal)
            {
                return write
            }
            return Write(put: .nothing, at: path, in: request.database, by: request.principal)
        }
        try checkSize(of: write, text?.count ?? 0, request.writeSizeLimit)
        switch try await commit(write, text, if: request.ifMatch) {
        case .refused(let refusal): throw refusal
        case .stale: throw Refusal(503, "What if-match is about changes all the time: try again")
        case .mismatch(let current):
            let form = commits.root(request.database).form()
            return written(
                request, Reply(current, form, status: .preconditionFailed, etag: try await etag(current)))
        case .stored(let values):
            let stored = values.first ?? nil
            let form: NodeEncoder.Form = write.hasPriorities ? .plain : .stored
            guard !write.addsToWhatIsThere || mayRead(write) else { return written(request, Reply(.ok, .null)) }
            return written(request, Reply(stored, form, etag: request.wantsETag ? try await etag(stored) : nil))
        }
    }

    func post(_ request: RestRequest, _ path: WirePath, _ text: Body) async throws -> Reply {
        let key = nextPushID()
        guard path.keys.count < WirePath.maxDepth else { throw Refusal.tooDeep }
        var reply = try await put(request, path.appending(key), text)
        if request.print != .silent { reply.body = .text(JSONWriter.text(["name": .string(key.text)])) }
        return reply
    }

    func patch(_ request: RestRequest, _ path: WirePath, _ text: Body) async throws -> Reply {
        let write = try await read(text) { bytes in
            try Write(.patch, bytes, at: path, in: request.database, by: request.principal)
        }
        guard let write else { return try await put(request, path, nil) }
        try checkSize(of: write, text.count, request.writeSizeLimit)
        switch try await commit(write, text) {
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

    /// Compares a condition on a large node outside of the one writer.
    private func commit(_ write: Write, _ text: Body?, if etag: ETag? = nil) async throws -> WriteOutcome {
        guard let etag else { return try await commit(write, bytes: text?.count ?? 0) }
        return try await commit(write, bytes: text?.count ?? 0, if: WriteCondition(etag))
    }

    /// - Parameter bytes: how long the text of the write is.
    func commit(_ write: Write, bytes: Int) async throws -> WriteOutcome {
        let size = commits.size(of: write, bytes: bytes)
        if size > CommitQueue.large { return try await commits.commitLarge(write, bytes: size) }
        return try await bytes > Responder.judgedBefore ? commits.commitJudged(write) : commits.commit(write)
    }

    /// Applies `write` where what is there is what the condition says.
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
            let size = commits.size(of: write, bytes: bytes)
            if size > CommitQueue.large {
                outcome = try await commits.commitLarge(write, bytes: size)
            } else {
                outcome = try await commits.commit(write)
            }
            guard case .stale = outcome else { break }
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
    private func mayRead(_ write: Write) -> Bool {
        guard let rules = rulesStore.rules(write.database) else { return true }
        return write.principal.mayRead(
            Subscription(path: write.base, query: nil), of: commits.root(write.database), by: rules,
            now: options.time.now())
    }

    /// Throws a refusal where the write puts and removes more than its `writeSizeLimit`.
    ///
    /// - Parameter bytes: how long the text of the write is.
    func checkSize(of write: Write, _ bytes: Int, _ limit: WriteSizeLimit? = nil) throws(Refusal) {
        guard let limit = (limit ?? rulesStore.ownWriteSizeLimit(write.database))?.bytes else { return }
        let root = commits.root(write.database)
        var size = bytes
        guard mayRead(write) else {
            // How large something is tells what is there.
            guard size <= limit else { throw .writeTooBig }
            return
        }
        for entry in write.entries where size <= limit {
            size += root.value(at: write.base.appending(entry.path))?.size(upTo: limit - size) ?? 0
        }
        guard size <= limit else { throw .writeTooBig }
    }

    // MARK: Bodies

    /// Lets `body` read `text`; a long one elsewhere than short requests are answered.
    private func read<Result: Sendable>(
        _ text: Body?, _ body: @escaping @Sendable (UnsafeBufferPointer<UInt8>) throws -> Result
    ) async throws -> Result {
        let read = { @Sendable in
            try (text?.take() ?? ByteBuffer()).withUnsafeReadableBytes { try body($0.bindMemory(to: UInt8.self)) }
        }
        return (text?.count ?? 0) > 1 << 20 ? try await WorkerPool.run(read) : try read()
    }
}
