internal import Synchronization

/// The sessions that are open, by their ids.
final class OpenSockets: Sendable {
    private let sessions = Mutex<[String: SocketSession]>([:])

    func add(_ session: SocketSession) { sessions.withLock { $0[session.id] = session } }

    func remove(_ session: SocketSession) { sessions.withLock { $0[session.id] = nil } }

    /// Ends the session that a client had before, where it is still open, and returns when all is done that it planned
    /// for its end: so that this does not come after what the client does next.
    func replace(_ id: String, in database: String) async {
        guard let old = sessions.withLock({ $0[id] }), old.database == database else { return }
        old.close()
        try? await old.hasEnded.wait()
    }
}
