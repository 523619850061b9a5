internal import DatabaseTree
internal import FirebaseWire

/// Something else is stored than a write is conditional on.
struct Mismatch: Error {
    let current: Node?
}

/// A write on its way from its text to the line of those that wait.
///
/// All that can be asked of a large one is asked before it is made ready to be stored, which takes several times its text.
struct Admission: Sendable {
    private let sent: SentWrite
    private let database: String
    private let principal: Principal
    private let condition: WriteCondition?
    private let limit: WriteSizeLimit?
    private let responder: Responder

    init(
        _ sent: SentWrite, in database: String, by principal: Principal, if condition: WriteCondition? = nil,
        _ limit: WriteSizeLimit? = nil, to responder: Responder
    ) {
        self.sent = sent
        self.database = database
        self.principal = principal
        self.condition = condition
        self.limit = limit
        self.responder = responder
    }

    /// Reads the write, once; nil where a patch is `null`.
    ///
    /// Throws a refusal where it can't be stored, is larger than it may be or the rules say no, and a ``Mismatch``.
    func write() async throws -> Write? {
        guard sent.isOutlined else { return try checked(try await sent.write(in: database, by: principal)) }
        guard let outline = try await sent.outline() else { return nil }
        try await check(outline)
        let judgement = try await responder.commits.judge(outline, in: database, by: principal)
        guard let judgement else { throw Refusal.permissionDenied }
        return try await WorkerPool.run { try write(of: outline, judgement) }
    }

    /// The same at once, of a put that is short, as nearly all are; nil for all else. Each function that may wait costs, also
    /// where it does not.
    func shortPut() throws -> Write? {
        guard sent.kind == .put, sent.isShort else { return nil }
        return try checked(try sent.read(in: database, by: principal))
    }

    private func checked(_ write: Write?) throws -> Write? {
        if let write { try responder.checkSize(of: write, sent.count, limit) }
        return write
    }

    private func write(of outline: Outline, _ judgement: Judgement) throws -> Write? {
        var write = try outline.text.withUnsafeBufferPointer {
            try Write(sent.kind, $0, at: outline.base, in: database, by: principal)
        }
        write?.judgement = judgement
        return write
    }

    /// Throws where the write is too large, or something else is stored than its condition says, or nobody may tell.
    private func check(_ outline: Outline) async throws {
        try responder.checkSize(sent.count, outline.base, in: database, by: principal, limit) {
            try outline.forEachPlace($0)
        }
        guard let condition else { return }
        guard responder.mayRead(outline.base, in: database, by: principal) else { throw Refusal.permissionDenied }
        let current = responder.commits.root(database).value(at: outline.base)
        let holds = try await WorkerPool.run { condition.compared(with: current).holds(for: current) }
        guard holds == true else { throw Mismatch(current: current) }
    }
}
