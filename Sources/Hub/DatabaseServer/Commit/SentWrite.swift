internal import DatabaseTree
internal import FirebaseWire
internal import NIOCore

/// A write as it was sent, not read yet.
struct SentWrite: Sendable {
    let kind: Write.Kind
    /// Of a put may end with ``WireKey/priority``.
    let path: WirePath
    /// How many bytes its text has.
    let count: Int
    private let text: TakeOnce<ByteBuffer>

    init(_ kind: Write.Kind, _ path: WirePath, _ text: ByteBuffer) {
        self.kind = kind
        self.path = path
        self.text = TakeOnce(text)
        count = text.readableBytes
    }

    /// The body is taken when the write is read.
    init(_ kind: Write.Kind, _ path: WirePath, _ body: Body) {
        self.kind = kind
        self.path = path
        text = body.text
        count = body.count
    }

    /// Reads what is to be stored, once; nil where a patch is `null`. Throws a refusal (400) where it can't be.
    func write(in database: String, by principal: Principal) async throws -> Write? {
        try await WorkerPool.read(bytes: count) { try read(in: database, by: principal) }
    }

    /// Whether it can be read at once, as nearly all can.
    var isShort: Bool { !WorkerPool.isLong(count) && !isOutlined }

    /// The same as ``write(in:by:)``, at once.
    func read(in database: String, by principal: Principal) throws -> Write? {
        try reading { bytes in
            if path.isPriority, bytes.count > LargeValueReader.large { try Outline.check(priority: bytes) }
            return try Write(kind, bytes, at: path, in: database, by: principal)
        }
    }

    /// Whether it is so large that it is looked at before it is made ready to be stored.
    var isOutlined: Bool { Outline.sizes.contains(count) && !path.isPriority }

    /// The same as ``write(in:by:)``, but for what is made of it.
    func outline() async throws -> Outline? {
        let (kind, path, text) = (kind, path, text)
        return try await WorkerPool.run {
            let bytes = Array((text.take() ?? ByteBuffer()).readableBytesView)
            return kind == .put ? try Outline(put: bytes, at: path) : try Outline(patch: bytes, at: path)
        }
    }

    /// The same for a later time.
    func order() async throws -> WriteOrder {
        try await WorkerPool.read(bytes: count) { [self] in try readOrder() }
    }

    private func readOrder() throws -> WriteOrder {
        try reading { bytes in
            guard kind == .patch else { return WriteOrder(put: try PutBody(bytes, at: path).value, at: path) }
            guard let patch = try PatchBody(bytes, base: path) else { throw Refusal.notAnObject }
            return WriteOrder(patch: patch, at: path)
        }
    }

    private func reading<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try (text.take() ?? ByteBuffer()).withUnsafeReadableBytes { try body($0.bindMemory(to: UInt8.self)) }
    }
}
