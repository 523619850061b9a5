internal import DatabaseTree
internal import FirebaseWire

/// A write as a client sends it, not read yet.
struct SocketWrite: Sendable {
    let kind: Write.Kind
    let path: WirePath
    let text: [UInt8]
    /// What must be there.
    let hash: String?

    /// More bytes than this are read elsewhere than short requests are answered.
    private static let long = 1 << 20

    init(_ kind: Write.Kind, _ path: WirePath, _ text: [UInt8], hash: String? = nil) {
        self.kind = kind
        self.path = path
        self.text = text
        self.hash = hash
    }

    /// Throws a refusal (400) where it can't be stored.
    func parsed() async throws -> WriteOrder {
        text.count > SocketWrite.long ? try await WorkerPool.run { try read() } : try read()
    }

    private func read() throws -> WriteOrder {
        try text.withUnsafeBufferPointer { bytes in
            switch kind {
            case .put:
                let body =
                    path.isPriority
                    ? try PutBody(priority: bytes) : try PutBody(bytes, depth: path.keys.count)
                return WriteOrder(put: body, at: path)
            case .patch:
                guard let patch = try PatchBody(bytes, base: path) else { throw Refusal.notAnObject }
                return WriteOrder(patch: patch, at: path)
            }
        }
    }
}
