internal import ControlAPI

/// The browsers that are signed in. A pure value: time is an argument, in milliseconds since 1970.
struct SessionBook: Codable, Hashable, Sendable {
    struct Session: Codable, Hashable, Sendable {
        /// Of the cookie, which is kept nowhere.
        var hash: String
        var expires: UInt64
        /// Who the person at the browser says they are.
        var person = ControlRoute.localPerson
    }

    /// How long a browser stays signed in, in milliseconds: 30 days.
    static let lifetime: UInt64 = 30 * 86_400_000
    /// So many browsers may be signed in; the one that came first goes first.
    static let capacity = 100

    private var sessions: [Session] = []

    /// Signs a browser in.
    mutating func add(_ cookie: String, now: UInt64) {
        sessions.removeAll { $0.expires <= now }
        sessions.append(Session(hash: Secret.hash(of: cookie), expires: now + SessionBook.lifetime))
        sessions.removeFirst(max(0, sessions.count - SessionBook.capacity))
    }

    /// The session of a browser that is signed in.
    func session(_ cookie: String, now: UInt64) -> Session? {
        let hash = Secret.hash(of: cookie)
        return sessions.first { $0.hash == hash && now < $0.expires }
    }

    /// Notes who the person at a browser is; nothing where it is not signed in.
    mutating func set(person: String, of hash: String) {
        guard let index = sessions.firstIndex(where: { $0.hash == hash }) else { return }
        sessions[index].person = person
    }

    /// Signs a browser out.
    mutating func remove(_ hash: String) { sessions.removeAll { $0.hash == hash } }
}
