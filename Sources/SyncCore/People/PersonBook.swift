/// Who has signed in at the remote from this machine. A pure value: one session a name, and one a person.
package struct PersonBook: Codable, Hashable, Sendable {
    /// By name.
    package private(set) var sessions: [PersonSession] = []

    package init() {}

    package func session(named name: String) -> PersonSession? { sessions.first { $0.name == name } }

    package func session(uid: String) -> PersonSession? { sessions.first { $0.uid == uid } }

    /// The session in which a person's words are written: their own; else the one whose token was theirs, and has become
    /// another one, or a wrong one, which has to be settled first.
    package func session(writingFor uid: String) -> PersonSession? {
        session(uid: uid) ?? sessions.first { $0.formerUID == uid }
    }

    /// By which the remote knows those whose words are written in a session, or wait for one.
    package var people: Set<String> { Set(sessions.compactMap { $0.uid ?? $0.formerUID }) }

    /// Who a user of this machine is: as the configuration says, else as who they signed in.
    ///
    /// - Parameter configured: the names of sessions, or the `uid`s of people, by the users of this machine.
    package func session(of user: UInt32, _ configured: [UInt32: String]) -> PersonSession? {
        guard let chosen = configured[user] else { return sessions.first { $0.localUsers.contains(user) } }
        return session(named: chosen) ?? session(uid: chosen)
    }

    /// What the session of a person who signs in is called: as the one that they have where the configuration knows them
    /// by that name, for other users would be this person no more; else as they want.
    ///
    /// - Parameter configured: as of ``session(of:_:)``.
    package func name(of uid: String, wanted: String, _ configured: [UInt32: String]) -> String {
        guard let own = session(uid: uid), configured.values.contains(own.name) else { return wanted }
        return own.name
    }

    /// Notes that a person has signed in; what they had signed in as before is over.
    ///
    /// - Parameter user: the user of this machine who did it, and is this person from now on; nil for none.
    /// - Returns: false where another person has a session of this name.
    package mutating func add(_ session: PersonSession, for user: UInt32?) -> Bool {
        if let other = self.session(named: session.name), other.uid != session.uid { return false }
        var session = session
        session.localUsers = sessions.filter { $0.uid == session.uid }.flatMap(\.localUsers)
        sessions.removeAll { $0.uid == session.uid }
        if let user {
            for index in sessions.indices { sessions[index].localUsers.removeAll { $0 == user } }
            session.localUsers = (session.localUsers.filter { $0 != user } + [user]).sorted()
        }
        sessions.append(session)
        sessions.sort { $0.name < $1.name }
        return true
    }

    /// Forgets a session; nil where there is none of this name.
    @discardableResult
    package mutating func remove(named name: String) -> PersonSession? {
        guard let index = sessions.firstIndex(where: { $0.name == name }) else { return nil }
        return sessions.remove(at: index)
    }

    /// Notes that a session has ended for good; nothing where another one has taken its place since.
    ///
    /// - Parameter token: that of the session.
    /// - Returns: whether it had not been known.
    package mutating func end(named name: String, token: String, _ reason: String) -> Bool {
        guard let index = sessions.firstIndex(where: { $0.name == name }), sessions[index].refreshToken == token,
            sessions[index].ended == nil
        else { return false }
        sessions[index].ended = reason
        return true
    }

    /// Whether a person has signed in again since, or out: the session is theirs no more, and says nothing of them.
    package func isPast(_ session: PersonSession) -> Bool {
        guard let uid = session.uid else { return false }
        return self.session(uid: uid)?.refreshToken != session.refreshToken
    }

    /// A session that has ended is tried once more: the account may be there again.
    package mutating func resume(uid: String) {
        for index in sessions.indices where [sessions[index].uid, sessions[index].formerUID].contains(uid) {
            sessions[index].ended = nil
        }
    }

    /// The configured sessions of which the remote has not said yet whose they are, in the order in which it is asked: where two
    /// are for one account, that one keeps it which had it before.
    package var unasked: [PersonSession] {
        let unasked = sessions.filter { $0.isConfigured && !$0.isChecked && $0.ended == nil }
        let (known, others) = (unasked.filter { $0.uid != nil }, unasked.filter { $0.uid == nil })
        return known + others.filter { $0.formerUID != nil } + others.filter { $0.formerUID == nil }
    }

    /// Notes whose a configured session is. Where somebody has signed in as the same person, that is over; a configured
    /// session that was this person's as far as was known before the remote was asked is to be somebody else's.
    ///
    /// - Returns: why the session has ended, where another configured one is this person's already.
    @discardableResult
    package mutating func resolve(named name: String, token: String, uid: String) -> String? {
        guard let index = sessions.firstIndex(where: { $0.name == name }), sessions[index].refreshToken == token else {
            return nil
        }
        let former = sessions[index].uid ?? sessions[index].formerUID
        let others = sessions.filter { $0.name != name && $0.uid == uid }
        if let other = others.first(where: { $0.isConfigured && $0.isChecked && $0.ended == nil }) {
            let reason = "this is the account of users.tokens.\(other.name), too"
            (sessions[index].uid, sessions[index].formerUID, sessions[index].ended) = (nil, former, reason)
            return reason
        }
        (sessions[index].uid, sessions[index].formerUID, sessions[index].isChecked) = (uid, nil, true)
        // Who was this person by having signed in still is.
        let users = others.filter { !$0.isConfigured }.flatMap(\.localUsers)
        sessions[index].localUsers = Set(sessions[index].localUsers + users).sorted()
        sessions.removeAll { $0.name != name && $0.uid == uid && !$0.isConfigured }
        release(uid, by: name, former)
        return nil
    }

    /// Whoever was a person until the remote said that another session is theirs may be whose that one was: tokens are
    /// exchanged.
    private mutating func release(_ uid: String, by name: String, _ former: String?) {
        for index in sessions.indices where sessions[index].name != name {
            guard [sessions[index].uid, sessions[index].formerUID].contains(uid) else { continue }
            sessions[index].uid = nil
            sessions[index].formerUID = former == uid ? nil : former
            sessions[index].isChecked = false
        }
    }

    /// Notes that the remote has given a session another token, so that it holds; nothing where another session has taken its
    /// place since.
    ///
    /// - Parameter token: that of the session until now.
    package mutating func renew(named name: String, token: String, to next: String) {
        guard token != next, let index = sessions.firstIndex(where: { $0.name == name }),
            sessions[index].refreshToken == token
        else { return }
        if sessions[index].isConfigured, sessions[index].configuredToken == nil {
            sessions[index].configuredToken = token
        }
        sessions[index].refreshToken = next
        sessions[index].ended = nil
    }

    /// Takes over the tokens that the configuration names; one that is new begins its session anew, and one that has ended is
    /// tried once more.
    ///
    /// - Parameters:
    ///   - tokens: by the names of sessions.
    ///   - unreadable: why the tokens of others can't be read, whose sessions end until they can.
    package mutating func configure(_ tokens: [String: String], unreadable: [String: String] = [:], now: UInt64) {
        sessions.removeAll { $0.isConfigured && tokens[$0.name] == nil && unreadable[$0.name] == nil }
        for name in unreadable.keys where session(named: name)?.isConfigured != true { begin(name, "", now: now) }
        for (name, token) in tokens.sorted(by: { $0.key < $1.key }) {
            let before = session(named: name)
            guard (before?.configuredToken ?? before?.refreshToken) == token else {
                begin(name, token, now: now)
                continue
            }
            for index in sessions.indices where sessions[index].name == name && sessions[index].ended != nil {
                (sessions[index].ended, sessions[index].isChecked) = (nil, false)
            }
        }
        for index in sessions.indices { unreadable[sessions[index].name].map { sessions[index].ended = $0 } }
        sessions.sort { $0.name < $1.name }
    }

    private mutating func begin(_ name: String, _ token: String, now: UInt64) {
        let before = session(named: name)
        // Nothing is kept of a configured token that tells whether it is another one: it mostly is the same after a start.
        let isFromDisk = before?.isConfigured == true && before?.refreshToken.isEmpty == true
        var session = PersonSession(
            name: name, uid: isFromDisk ? before?.uid : nil, email: nil, refreshToken: token, since: now)
        if session.uid == nil { session.formerUID = before?.uid ?? before?.formerUID }
        session.isConfigured = true
        session.localUsers = before?.localUsers ?? []
        remove(named: name)
        sessions.append(session)
    }

    /// What is kept on the disk: no token that the configuration keeps elsewhere.
    package var kept: PersonBook {
        var kept = self
        for index in kept.sessions.indices where kept.sessions[index].isConfigured {
            if kept.sessions[index].configuredToken == nil { kept.sessions[index].refreshToken = "" }
            kept.sessions[index].ended = nil
            kept.sessions[index].isChecked = false
        }
        return kept
    }
}
