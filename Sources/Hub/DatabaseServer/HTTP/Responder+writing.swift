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

    /// - Parameters:
    ///   - path: may be the place of a priority.
    ///   - text: the value; nil deletes.
    func put(_ asked: RestRequest, _ path: WirePath, _ text: ByteBuffer?) async throws -> Reply {
        let write = try await read(text ?? ByteBuffer()) { bytes in
            let depth = path.keys.count
            let body =
                text == nil
                ? PutBody.nothing : path.isPriority ? try PutBody(priority: bytes) : try PutBody(bytes, depth: depth)
            return Write(put: body, at: path, in: asked.database, by: asked.authority)
        }
        try checkSize(of: write, text, asked)
        switch try await commit(write, if: asked.ifMatch) {
        case .refused(let refusal): throw refusal
        case .overtaken: throw Refusal(503, "What if-match is about changes all the time: try again")
        case .mismatch(let current):
            let form = commits.root(asked.database).form()
            return written(
                asked, Reply(current, form, status: .preconditionFailed, etag: try await etag(current)))
        case .stored(let values):
            let stored = values.first ?? nil
            let form: NodeText.Form = write.hasPriorities ? .plain : .stored
            return written(asked, Reply(stored, form, etag: asked.wantsETag ? try await etag(stored) : nil))
        }
    }

    func post(_ asked: RestRequest, _ path: WirePath, _ text: ByteBuffer) async throws -> Reply {
        let key = nextPushID()
        guard path.keys.count < WirePath.maxDepth else { throw Refusal.tooDeep }
        var reply = try await put(asked, path.appending(key), text)
        if asked.print != .silent { reply.body = .text(JSONWriter.text(["name": .string(key.text)])) }
        return reply
    }

    func patch(_ asked: RestRequest, _ path: WirePath, _ text: ByteBuffer) async throws -> Reply {
        let write = try await read(text) { bytes in
            try PatchBody(bytes, base: path).map {
                Write(patch: $0, at: path, in: asked.database, by: asked.authority)
            }
        }
        guard let write else { return try await put(asked, path, nil) }
        try checkSize(of: write, text, asked)
        switch try await commits.commit(write) {
        case .refused(let refusal): throw refusal
        case .mismatch, .overtaken: throw Refusal.badRequest("ETags are not supported with PATCH")
        case .stored(let values):
            guard asked.print != .silent else { return Reply(.noContent, .none) }
            let form: NodeText.Form = write.hasPriorities ? .plain : .stored
            var text: [UInt8] = [UInt8(ascii: "{")]
            for (index, entry) in write.entries.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                JSONWriter.append(entry.path.text, to: &text)
                text.append(UInt8(ascii: ":"))
                text.append(contentsOf: values[index]?.text(form) ?? Array("null".utf8))
            }
            text.append(UInt8(ascii: "}"))
            return written(asked, Reply(.ok, .text(text)))
        }
    }

    /// Compares a condition on a large node outside of the one writer.
    private func commit(_ write: Write, if etag: ETag?) async throws -> WriteOutcome {
        guard let etag else { return try await commits.commit(write) }
        var write = write
        var outcome = WriteOutcome.overtaken
        for _ in 0..<Responder.comparisons {
            var condition = WriteCondition(etag)
            let current = commits.root(write.database).value(at: write.base)
            if case .branch = current {
                condition = try await LongWork.run { [condition] in condition.compared(with: current) }
            }
            write.condition = condition
            outcome = try await commits.commit(write)
            guard case .overtaken = outcome else { break }
        }
        return outcome
    }

    private func etag(_ node: Node?) async throws -> ETag {
        guard case .branch = node else { return Node.etag(node) }
        return try await LongWork.run { Node.etag(node) }
    }

    private func written(_ asked: RestRequest, _ reply: Reply) -> Reply {
        if asked.print == .silent { return Reply(.noContent, .none, etag: reply.etag) }
        var reply = reply
        reply.isPretty = asked.print == .pretty
        return reply
    }

    /// Throws a refusal where the write puts and removes more than its `writeSizeLimit`.
    private func checkSize(of write: Write, _ text: ByteBuffer?, _ asked: RestRequest) throws(Refusal) {
        guard let limit = asked.writeSizeLimit?.bytes else { return }
        let root = commits.root(write.database)
        var size = text?.readableBytes ?? 0
        for entry in write.entries where size <= limit {
            size += root.value(at: write.base.appending(entry.path))?.size(upTo: limit - size) ?? 0
        }
        guard size <= limit else { throw .writeTooBig }
    }

    // MARK: Bodies

    /// Lets `body` read `text`; a long one elsewhere than short requests are answered.
    private func read<Result: Sendable>(
        _ text: ByteBuffer, _ body: @escaping @Sendable (UnsafeBufferPointer<UInt8>) throws -> Result
    ) async throws -> Result {
        let read = { @Sendable in try text.withUnsafeReadableBytes { try body($0.bindMemory(to: UInt8.self)) } }
        return text.readableBytes > 1 << 20 ? try await LongWork.run(read) : try read()
    }

    /// The whole body of `request`.
    func body(_ request: Request) async throws -> ByteBuffer {
        if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Refusal(415, "Content-Encoding \(coding.prefix(40)) is not supported: send the body as it is")
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > options.maxBody {
            throw Refusal.writeTooBig
        }
        var text = ByteBuffer()
        for try await chunk in request.body {
            var chunk = chunk
            if text.readableBytes == 0 { text = chunk } else { text.writeBuffer(&chunk) }
            guard text.readableBytes <= options.maxBody else { throw Refusal.writeTooBig }
        }
        return text
    }
}
