package import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// Who signs in, and out.
extension SyncEngine: PeopleService {
    var people: PersonSessions { context.people }

    package func person(of user: UInt32?) -> SessionReply {
        user.map { people.person(of: $0) } ?? .nobody
    }

    package func session(named name: String) throws(ControlError) -> SessionReply {
        guard let session = people.replies.first(where: { $0.name == name }) else { throw .unknownSession(name) }
        return session
    }

    package func sessions() -> [SessionReply] { people.replies }

    package func signIn(_ order: SignInOrder, user: UInt32?) async throws -> SessionReply {
        guard let accounts = context.remote.accounts else { throw ControlError.noAccounts }
        let wanted = order.name ?? String(order.email.prefix { $0 != "@" })
        guard PluginName.isOne(wanted), wanted != ControlRoute.localPerson else {
            throw ControlError.badRequest(
                "badName",
                "'\(wanted)' can't be the name of a session: use letters, digits, '.', '_' and '-', up to 64")
        }
        // Before an account is made.
        try checkName(wanted, order, user)
        let grant = try await grant(order, accounts)
        if let own = people.book.session(uid: grant.uid), own.isConfigured { throw ControlError.configuredAs(own.name) }
        let name = people.name(of: grant.uid, wanted: wanted)
        let session = PersonSession(
            name: name, uid: grant.uid, email: grant.email, refreshToken: grant.refreshToken, since: context.wall)
        if let chosen = people.chosen(for: user), chosen != name, chosen != grant.uid {
            throw chosen == wanted ? ControlError.calledOtherwise(name, than: chosen) : .mapped(to: chosen)
        }
        guard people.change({ $0.add(session, for: user) }) else {
            throw ControlError.nameTaken(name)
        }
        context.logger.notice(
            "A person has signed in",
            metadata: ["event": "people.signedIn", "person": "\(name)", "uid": "\(grant.uid)"])
        try await endWaiting(for: grant.uid)
        if let reason = people.unsaved { throw ControlError.notKept("\(name) is signed in", reason) }
        return try self.session(named: name)
    }

    private func grant(_ order: SignInOrder, _ accounts: any RemoteAccounts) async throws -> RemoteGrant {
        do {
            return
                try await order.register == true
                ? accounts.register(email: order.email, password: order.password)
                : accounts.signIn(email: order.email, password: order.password)
        } catch let error as AccountError {
            throw ControlError(error)
        }
    }

    /// - Throws: where nobody may sign in under that name, or not this user.
    private func checkName(_ name: String, _ order: SignInOrder, _ user: UInt32?) throws(ControlError) {
        let other = people.replies.first { $0.name == name }
        guard other?.configured != true else { throw .configuredSession(name) }
        // A new account is another person. Of one that is there the accounts say whose it is: addresses change.
        guard order.register != true || other == nil else { throw .nameTaken(name) }
        let isRoot = user == nil || user == 0
        guard isRoot || !people.isGiven(name, butNotTo: user) else { throw .givenAway(name) }
        guard order.register == true, let chosen = people.chosen(for: user), chosen != name else {
            return
        }
        throw .mapped(to: chosen)
    }

    package func signOut(_ name: String) async throws -> SessionReply {
        let session = try session(named: name)
        guard session.configured != true else { throw ControlError.configuredSession(name) }
        people.change { _ = $0.remove(named: name) }
        context.logger.notice("A person has signed out", metadata: ["event": "people.signedOut", "person": "\(name)"])
        try await endWaiting(for: session.uid)
        if let reason = people.unsaved { throw ControlError.notKept("\(name) is signed out", reason) }
        return session
    }

    /// Signs a person out whose hold was rejected: what waits for them in other collections waits no more.
    func signOut(uid: String) async throws {
        people.change { book in book.session(writingFor: uid).map { _ = book.remove(named: $0.name) } }
        try await endWaiting(for: uid)
    }

    /// Tries once more whether a person's session has really ended, in all collections.
    func tryAgain(uid: String) async throws {
        people.change { $0.resume(uid: uid) }
        people.changed.notify()
        try await endWaiting(for: uid)
    }

    /// The edits of a person are tried again, and those of whoever has no session any more: these the daemon writes.
    func endWaiting(for uid: String? = nil) async throws {
        let departed = people.departed
        let tried = departed.union([uid].compactMap(\.self))
        guard !tried.isEmpty else { return }
        try await context.commit { [context] transaction in
            for hold in try transaction.holds(of: .sessionEnded) {
                guard let person = hold.person, tried.contains(person) else { continue }
                _ = try transaction.end(hold: hold.number) { context.applier.context($0) }
            }
        }
        people.forget(departed: departed)
    }

    /// Takes over what the configuration says about people; ``lookAgainAfterReload()`` reads their tokens.
    package func setUsers(_ users: UserSettings) { people.setUsers(users) }

    /// Asks the remote whose the configured tokens are, until it has said so, and keeps what could not be kept before; runs
    /// until cancelled.
    func runPeople() async {
        // The configuration may have changed while the daemon did not run. Where the state can't be written now, the log says
        // so, and the next reload tries again.
        try? await endWaiting()
        var backoff = Backoff()
        while !Task.isCancelled {
            let isKept = people.saveAgain()
            var isOpen = false
            for session in people.book.unasked where await !resolve(session) { isOpen = true }
            if !isOpen { backoff.succeeded() }
            if isOpen {
                let pause = backoff.failed(random: .random(in: 0...1)).milliseconds
                await context.clock.sleep(context.clock.monotonic() + min(pause, isKept ? pause : 5000))
            } else {
                await people.changed.wait(for: isKept ? nil : .seconds(5))
            }
        }
        _ = people.saveAgain()
    }

    /// - Returns: whether nothing more can be learnt.
    private func resolve(_ session: PersonSession) async -> Bool {
        guard let accounts = context.remote.accounts else { return true }
        do {
            let grant = try await accounts.grant(session.refreshToken)
            people.resolve(session, grant)
            do { try await endWaiting(for: grant.uid) } catch { return false }
            return true
        } catch let error as AccountError where error.reason != .offline {
            _ = people.ended(session, RemoteError(.sessionEnded, error.message))
            return true
        } catch {
            return false
        }
    }
}

extension SessionReply {
    init(_ session: PersonSession) {
        self.init(
            name: session.name, uid: session.uid ?? "", email: session.email,
            state: session.ended == nil ? .signedIn : .ended, reason: session.ended,
            since: Moment(milliseconds: session.since), localUsers: session.localUsers)
        configured = session.isConfigured ? true : nil
    }
}

extension ControlError {
    fileprivate static func configuredSession(_ name: String) -> ControlError {
        ControlError(
            409, "configuredSession",
            "the configuration names the token of '\(name)': put another one in the file of users.tokens.\(name), "
                + "or remove that, then 'moviesync reload'")
    }

    /// Somebody signs in as a person under another name than the configuration's.
    fileprivate static func configuredAs(_ name: String) -> ControlError {
        ControlError(
            409, "configuredSession",
            "this account is '\(name)' here, whose token the configuration names (users.tokens): speak with --as \(name), "
                + "or have users.map say that you are '\(name)'")
    }

    fileprivate static func notKept(_ what: String, _ reason: String) -> ControlError {
        ControlError(
            500, "notKept", "\(what) until the daemon ends, as that can't be kept now: \(reason); it is tried again")
    }

    fileprivate static func givenAway(_ name: String) -> ControlError {
        ControlError(
            409, "nameTaken", "the configuration (users.map) gives '\(name)' to other users: choose another --name")
    }

    fileprivate static func mapped(to name: String) -> ControlError {
        ControlError(
            409, "mapped",
            "the configuration (users.map) says that you are '\(name)': sign in with --name \(name), or have that changed"
        )
    }

    /// The configuration has two names for one account.
    fileprivate static func calledOtherwise(_ name: String, than chosen: String) -> ControlError {
        ControlError(
            409, "mapped",
            "this account is '\(name)' here, which the configuration (users.map) gives, too: have it say that you are "
                + "'\(name)', or the account's uid, instead of '\(chosen)'")
    }

    fileprivate static func nameTaken(_ name: String) -> ControlError {
        ControlError(
            409, "nameTaken",
            "somebody else has signed in as '\(name)': choose another --name, or 'moviesync logout \(name)' first")
    }

    fileprivate init(_ error: AccountError) {
        let status =
            switch error.reason {
            case .wrongCredentials, .sessionEnded: 401
            case .emailTaken: 409
            case .invalidEmail, .weakPassword: 400
            case .disabled: 403
            case .tooManyAttempts: 429
            case .offline: 503
            case .refused: 502
            }
        self.init(status, error.reason.rawValue, error.message)
    }
}
