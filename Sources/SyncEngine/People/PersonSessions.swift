internal import ControlAPI
internal import FoundationEssentials
internal import Logging
internal import OperatingSystem
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// Keeps the sessions of people, and gives what is written in their names the remote that acts as they do.
final class PersonSessions: Sendable {
    private struct Facts: Sendable {
        var book = PersonBook()
        var users = UserSettings()
        /// Who has no session any more, and may still be waited for.
        var departed: Set<String> = []
        /// What the files of the configured sessions held when they were read last, by name; nothing of one that can't be
        /// read.
        var tokens: [String: String] = [:]
        /// The remotes that act as people, with the remote they belong to and the token they were made of.
        var remotes: [String: (number: Int, token: String, remote: any Remote)] = [:]
        /// Where the sessions are kept; nil for nowhere.
        var file: KeptFile?
        /// Why what is in the file could not be read; nil where it could, or is no longer there.
        var unread: String?
    }

    /// What people have to look after, in words.
    struct Trouble: Hashable, Sendable {
        /// Which sessions of the configuration have ended.
        var ended: [String] = []
        /// Why the sessions are not kept.
        var unsaved: String?
        /// Why those that were kept could not be read, where the file still stands.
        var unread: String?
    }

    private let logger: Logger
    /// Is told of it whenever something has changed.
    private let note: @Sendable (Trouble) -> Void
    private let facts = Mutex(Facts())
    /// Notified when somebody may have to be asked about, or the file has to be written again.
    let changed = Signal()

    /// Reads the sessions that are kept; a file that can't be read is named in the log, and is as none.
    init(path: String?, logger: Logger, note: @escaping @Sendable (Trouble) -> Void) {
        self.logger = logger
        self.note = note
        guard let path else { return }
        facts.withLock { $0.file = KeptFile(path: path) }
        guard Folder.resolved(path) != nil else { return }
        do {
            let bytes = try SecretFile.read(at: path)
            let book = try ControlJSON.read(PersonBook.self, from: Data(bytes))
            facts.withLock { $0.book = book }
        } catch {
            let isDamaged = error is DecodingError
            logger.error(
                "The sessions of people can't be read: they have to sign in again",
                metadata: [
                    "event": "people.failed", "path": "\(path)",
                    "reason": "\(isDamaged ? "it is damaged" : "\(error)")",
                ])
            // One that somebody may make readable stays until it would be written over.
            if isDamaged { setAside(path) } else { change { (facts: inout Facts) in facts.unread = "\(error)" } }
        }
    }

    private func setAside(_ path: String) {
        do {
            let place = try Folder.setAside(path)
            logger.warning(
                "Sessions that can't be read are kept", metadata: ["event": "people.failed", "place": "\(place)"])
        } catch {
            logger.warning(
                "Sessions that can't be read stay in their place",
                metadata: ["event": "people.failed", "path": "\(path)", "reason": "\(error)"])
        }
    }

    var book: PersonBook { facts.withLock { $0.book } }

    /// Whose sessions are gone, until ``forget(departed:)``: by `uid`.
    var departed: Set<String> { facts.withLock { $0.departed } }

    /// Nobody waits for these people any more.
    func forget(departed people: Set<String>) { facts.withLock { $0.departed.subtract(people) } }

    /// Who a user of this machine is.
    func person(of user: UInt32) -> SessionReply {
        facts.withLock { facts in
            if let session = facts.book.session(of: user, facts.users.people) { return SessionReply(session) }
            guard let chosen = facts.users.people[user] else { return .nobody }
            // Whom the configuration names has no session here, or it names a person, as `--as` may.
            guard facts.users.tokens[chosen] != nil else {
                return SessionReply(name: nil, uid: chosen, email: nil, state: .local)
            }
            return PersonSessions.gone(chosen)
        }
    }

    /// All sessions, with those of the configuration that are gone until a reload: their names are no uids.
    var replies: [SessionReply] {
        facts.withLock { facts in
            let gone = facts.users.tokens.keys.filter { facts.book.session(named: $0) == nil }.sorted()
            return facts.book.sessions.map(SessionReply.init) + gone.map(PersonSessions.gone)
        }
    }

    private static func gone(_ name: String) -> SessionReply {
        let reason = "the session of users.tokens.\(name) is gone: 'moviesync reload' begins it again"
        var reply = SessionReply(name: name, uid: "", email: nil, state: .ended, reason: reason)
        reply.configured = true
        return reply
    }

    /// Whom the configuration says a user of this machine is; nil where it does not say.
    func chosen(for user: UInt32?) -> String? { user.flatMap { user in facts.withLock { $0.users.people[user] } } }

    /// Whether the configuration gives a name to some users of this machine, and not to this one.
    func isGiven(_ name: String, butNotTo user: UInt32?) -> Bool {
        facts.withLock { $0.users.people.values.contains(name) } && chosen(for: user) != name
    }

    /// What the session of a person who signs in is called.
    func name(of uid: String, wanted: String) -> String {
        facts.withLock { $0.book.name(of: uid, wanted: wanted, $0.users.people) }
    }

    /// Puts what the configuration says in force; a token that can't be read is as one that has ended.
    ///
    /// - Returns: what is otherwise than it was when the same sessions were read last.
    @discardableResult
    func configure(_ users: UserSettings, now: UInt64) -> TokenNews {
        var tokens: [String: String] = [:]
        var failures: [String: String] = [:]
        for (name, file) in users.tokens {
            do {
                tokens[name] = String(decoding: try SecretFile.read(at: file), as: UTF8.self)
            } catch {
                logger.error(
                    "A person's token can't be read",
                    metadata: ["event": "people.failed", "person": "\(name)", "reason": "\(error)"])
                failures[name] = "users.tokens.\(name): \(error)"
            }
        }
        let news = change { (facts: inout Facts) in
            let known = Set(facts.book.sessions.filter(\.isConfigured).map(\.name))
            let changed = tokens.filter { name, token in known.contains(name) && facts.tokens[name] != token }
            facts.users = users
            facts.tokens = tokens
            facts.book.configure(tokens, unreadable: failures, now: now)
            return TokenNews(changed: changed.keys.sorted(), problems: failures.values.sorted())
        }
        changed.notify()
        return news
    }

    /// What the configuration says from now on; its tokens are read by ``readTokensAgain(now:)``.
    func setUsers(_ users: UserSettings) { facts.withLock { $0.users = users } }

    /// Reads the files with tokens again: one that was bad may be mended.
    @discardableResult
    func readTokensAgain(now: UInt64) -> TokenNews { configure(facts.withLock { $0.users }, now: now) }

    /// Changes who has signed in, durably.
    @discardableResult
    func change<Result>(_ body: (inout PersonBook) -> Result) -> Result { change { body(&$0.book) } }

    private func change<Result>(_ body: (inout Facts) -> Result) -> Result {
        facts.withLock { facts in
            let before = facts.book
            let result = body(&facts)
            facts.departed.formUnion(before.people)
            facts.departed.subtract(facts.book.people)
            if facts.book.kept != before.kept || facts.file?.unsaved != nil { save(&facts) }
            note(
                Trouble(
                    ended: PersonSessions.ended(facts.book), unsaved: facts.file?.unsaved, unread: facts.unread))
            return result
        }
    }

    /// A disk that is full keeps nobody signed in, or out, for longer than the daemon runs, and stops nothing else.
    private func save(_ facts: inout Facts) {
        guard let path = facts.file?.path else { return }
        if facts.unread != nil { setAside(path) }
        facts.unread = nil
        let book = facts.book.kept
        guard let reason = facts.file?.save({ Array(try ControlJSON.text(book)) }) else { return }
        changed.notify()
        logger.warning(
            "The sessions of people can't be kept",
            metadata: ["event": "people.failed", "path": "\(path)", "reason": "\(reason)"])
    }

    /// Why what was changed last is forgotten when the daemon ends; nil where it is kept.
    var unsaved: String? { facts.withLock { $0.file?.unsaved } }

    /// Writes again what could not be kept.
    ///
    /// - Returns: whether all is kept now.
    func saveAgain() -> Bool {
        guard unsaved != nil else { return true }
        change { (_: inout Facts) in }
        return unsaved == nil
    }

    /// The remote that acts as a person; `remote` itself where they have not signed in.
    ///
    /// - Parameters:
    ///   - remote: what all people share.
    ///   - number: of the session that it belongs to.
    /// - Throws: `sessionEnded` where they have to sign in again, `personUnreachable` where the remote has not said yet
    ///   whose the token that came in place of theirs is.
    func remote(
        as person: String, _ remote: any Remote, number: Int
    ) throws(RemoteError) -> (remote: any Remote, session: PersonSession?) {
        guard let session = book.session(writingFor: person), let accounts = remote.accounts else {
            return (remote, nil)
        }
        if let reason = session.ended { throw RemoteError(.sessionEnded, PersonSessions.words(session, reason)) }
        guard session.uid == person else {
            throw RemoteError(
                .personUnreachable, "the remote has not said yet whose the token of users.tokens.\(session.name) is")
        }
        let acting = facts.withLock { facts in
            if let known = facts.remotes[person], known.number == number, known.token == session.refreshToken {
                return known.remote
            }
            let acting = accounts.remote(actingWith: session.refreshToken) { [weak self] last, next in
                self?.renewed(session.name, person, last, to: next)
            }
            facts.remotes[person] = (number, session.refreshToken, acting)
            return acting
        }
        return (acting, session)
    }

    /// The remote has given a person's session another token, with which the same remote goes on.
    private func renewed(_ name: String, _ person: String, _ last: String, to next: String) {
        change { (facts: inout Facts) in
            facts.book.renew(named: name, token: last, to: next)
            if facts.remotes[person]?.token == last { facts.remotes[person]?.token = next }
        }
    }

    /// A request in a person's name was not sent, because the session has ended.
    ///
    /// - Returns: what to tell of it; nil where the person has signed in again meanwhile, or out: then it can be sent anew.
    func ended(_ session: PersonSession, _ error: RemoteError) -> RemoteError? {
        let (isNew, isPast) = change { (book: inout PersonBook) in
            (book.end(named: session.name, token: session.refreshToken, error.message), book.isPast(session))
        }
        if isNew { logEnd(of: session, error.message) }
        return isPast ? nil : RemoteError(.sessionEnded, PersonSessions.words(session, error.message))
    }

    /// The remote has said whose the token of a configured session is.
    func resolve(_ session: PersonSession, _ grant: RemoteGrant) {
        let reason = change { (book: inout PersonBook) -> String? in
            book.renew(named: session.name, token: session.refreshToken, to: grant.refreshToken)
            return book.resolve(named: session.name, token: grant.refreshToken, uid: grant.uid)
        }
        if let reason { logEnd(of: session, reason) }
    }

    private func logEnd(of session: PersonSession, _ reason: String) {
        logger.error(
            "A person's session has ended",
            metadata: ["event": "people.ended", "person": "\(session.name)", "reason": "\(reason)"])
    }

    /// Whoever signed in here learns it from `whoami`, and once something waits for them from a hold.
    private static func ended(_ book: PersonBook) -> [String] {
        book.sessions.filter(\.isConfigured).compactMap { session in session.ended.map { words(session, $0) } }
    }

    private static func words(_ session: PersonSession, _ reason: String) -> String {
        let advice =
            session.isConfigured
            ? "needs another token in the file of users.tokens.\(session.name), then 'moviesync reload'"
            : "has to sign in again (moviesync login)"
        return "\(session.name) \(advice): \(reason)"
    }
}
