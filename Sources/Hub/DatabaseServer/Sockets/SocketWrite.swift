internal import DatabaseTree
internal import FirebaseWire
internal import NIOCore

/// A write as a client sends it, not read yet.
struct SocketWrite: Sendable {
    let kind: Write.Kind
    let path: WirePath
    /// How many bytes its text has.
    let count: Int
    private let text: TakeOnce<ByteBuffer>

    /// More bytes than this are read elsewhere than short requests are answered.
    static let long = 1 << 20

    init(_ kind: Write.Kind, _ path: WirePath, _ text: ByteBuffer) {
        self.kind = kind
        self.path = path
        self.text = TakeOnce(text)
        count = text.readableBytes
    }

    /// Reads what is to be stored, once. Throws a refusal (400) where it can't be.
    func write(in database: String, by principal: Principal) async throws -> Write {
        let (kind, path, text) = (kind, path, text)
        return try await reading {
            let write = try (text.take() ?? ByteBuffer()).withUnsafeReadableBytes { bytes in
                try Write(kind, bytes.bindMemory(to: UInt8.self), at: path, in: database, by: principal)
            }
            guard let write else { throw Refusal.notAnObject }
            return write
        }
    }

    /// The same for a later time.
    func order() async throws -> WriteOrder {
        let (kind, path, text) = (kind, path, text)
        return try await reading {
            try (text.take() ?? ByteBuffer()).withUnsafeReadableBytes { bytes in
                let bytes = bytes.bindMemory(to: UInt8.self)
                guard kind == .patch else { return WriteOrder(put: try PutBody(bytes, at: path), at: path) }
                guard let patch = try PatchBody(bytes, base: path) else { throw Refusal.notAnObject }
                return WriteOrder(patch: patch, at: path)
            }
        }
    }

    private func reading<Result: Sendable>(_ read: @escaping @Sendable () throws -> Result) async throws -> Result {
        count > SocketWrite.long ? try await WorkerPool.run(read) : try read()
    }
}
