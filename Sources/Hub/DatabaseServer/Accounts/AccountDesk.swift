internal import Accounts
internal import DatabaseTree
internal import JSONText
internal import Logging
internal import SyncModel
internal import Synchronization

/// Answers calls about accounts: runs the rules in a transaction, and does outside of it what takes long.
final class AccountDesk: Sendable {
    /// Who calls.
    struct Sender: Sendable {
        var isAdministrator: Bool
        /// The address it calls from; nil where there is none.
        var address: String?
    }

    /// In ten minutes: wrong passwords for an e-mail address, and from an address; also codes for an e-mail address.
    private static let mostTries = 10
    /// Codes from an address.
    private static let mostCodes = 100
    /// New accounts from an address.
    private static let mostSignUps = 1000
    /// Seconds: so old may a sign-in be for a change of e-mail or password.
    private static let recentSignIn: Int64 = 300

    let keys: SigningKeys
    let codes: CodeDelivery
    let pictures: PictureDesk
    private let file: AccountFile
    private let bench: PasswordBench
    private let isEmulator: Bool
    private let policy: AccountPolicy
    private let customKeys: TokenKeys?
    private let time: WallTime
    private let named: Mutex<String?>
    private let hasFixedProject: Bool
    private let limits = Mutex(AttemptLimits())
    private let revocations = Mutex(0)
    private let logger: Logger

    /// Opens the accounts in the folder of the data; makes what is missing. Throws a ``ServerError``.
    init(_ configuration: AccountConfiguration, _ options: ServerConfiguration, logger: Logger) throws {
        named = Mutex(configuration.project)
        hasFixedProject = configuration.project != nil || !options.isEmulator
        file = try AccountFile(folder: options.data)
        pictures = PictureDesk(file, time: options.time)
        keys = try SigningKeys(folder: options.data)
        // Tests start many emulators, and few of them sign anything.
        if !options.isEmulator { try keys.make(now: options.time.now()) }
        bench = PasswordBench(method: configuration.hashing)
        codes = CodeDelivery(command: configuration.codesTo, keepsSent: options.isEmulator, logger: logger)
        isEmulator = options.isEmulator
        policy = AccountPolicy(hidesEmails: configuration.hidesEmails)
        customKeys = options.tokenKeys
        time = options.time
        self.logger = logger
    }

    /// What ID tokens are for.
    var project: String { named.withLock { $0 ?? AccountConfiguration.anyProject } }

    /// What an ID token must be for; nil where that is anything.
    var neededProject: String? { hasFixedProject ? project : nil }

    /// Takes the project that an administrator names in a path.
    func adopt(_ project: String) { if !hasFixedProject { named.withLock { $0 = project } } }

    /// Changes whenever tokens that were good are no longer.
    var revocation: Int { revocations.withLock(\.self) }

    /// Milliseconds since 1970.
    func now() -> Int64 { time.now() }

    /// Answers one call. Throws an ``AccountRefusal``.
    func answer(
        _ call: AccountCall, _ body: AccountBody, from sender: Sender, linkBase: String
    ) async throws -> [String: JSONValue] {
        var request = AccountRequest(call, body, project: project, now: now())
        request.isAdministrator = sender.isAdministrator
        request.policy = policy
        request.recentSignIn = isEmulator ? nil : AccountDesk.recentSignIn
        request.hashing = bench.method
        request.linkBase = linkBase
        if let token = try body.words("idToken") { request.idToken = await read(idToken: token) }
        if call == .signInWithCustomToken, let token = try body.words("token") {
            request.customToken = await read(customToken: token)
        }
        try checkLimits(of: call, body, sender)
        let answer = try await finished(request, sender)
        if answer.endsSessions { revocations.withLock { $0 += 1 } }
        if let code = answer.code { codes.send(code) }
        var members = answer.body
        if let grant = answer.grant {
            // A moment at most, see ``Account``.
            if let issued = grant.claims["iat"]?.whole { try await time.wait(issued * 1000) }
            let token = try keys.sign(grant.claims, now: now())
            for name in grant.members { members[name] = .string(token) }
        }
        return members
    }

    /// The answer, once all work with passwords is done that it takes.
    private func finished(_ asked: AccountRequest, _ sender: Sender) async throws -> AccountAnswer {
        var request = asked
        while true {
            do {
                return try await WorkerPool.run { [file, request] in
                    try file.transaction {
                        try AccountRules.answer(request, in: $0, random: SystemRandomNumberGenerator())
                    }
                }
            } catch let needed as NeededWork {
                // A password that changes again and again while it is tried is somebody's joke.
                guard request.done.count < 4 else { throw AccountRefusal.busy }
                request.done.append(try await result(of: needed.work, request, sender))
            }
        }
    }

    private func result(
        of work: PasswordWork, _ request: AccountRequest, _ sender: Sender
    ) async throws -> PasswordResult {
        guard case .trying = work, !sender.isAdministrator else { return try await bench.done(work) }
        let keys = try AccountDesk.keys("try", request.body, sender)
        try checkLimits(keys, most: AccountDesk.mostTries)
        let result = try await bench.done(work)
        try checkLimits(keys, most: AccountDesk.mostTries)
        if case .tried(_, _, isRight: false) = result { limits.withLock { $0.count(keys, now: now()) } }
        return result
    }

    /// Throws where nobody needs so many of these calls as the sender makes.
    private func checkLimits(of call: AccountCall, _ body: AccountBody, _ sender: Sender) throws {
        guard !sender.isAdministrator else { return }
        switch call {
        case .sendOobCode:
            let keys = try AccountDesk.keys("send", body, sender)
            if try body.words("email") != nil {
                try checkLimits(Array(keys.prefix(1)), most: AccountDesk.mostTries)
            }
            try checkLimits(keys, most: AccountDesk.mostCodes)
            limits.withLock { $0.count(keys, now: now()) }
        case .signUp:
            let keys = try AccountDesk.keys("sign up", AccountBody(), sender)
            try checkLimits(keys, most: AccountDesk.mostSignUps)
            limits.withLock { $0.count(keys, now: now()) }
        default: return
        }
    }

    /// Throws where there were too many attempts; an emulator takes any number.
    private func checkLimits(_ keys: [String], most: Int) throws {
        guard isEmulator || limits.withLock({ $0.mayTry(keys, most: most, now: now()) }) else {
            throw AccountRefusal.tooManyAttempts
        }
    }

    /// What attempts are counted by: the e-mail address they are for, and the address that they come from.
    private static func keys(_ kind: String, _ body: AccountBody, _ sender: Sender) throws -> [String] {
        [try body.words("email"), sender.address].compactMap { $0.map { "\(kind) \($0.lowercased())" } }
    }

    // MARK: Tokens

    /// What an ID token says that a call carries.
    private func read(idToken text: String) async -> TokenReading {
        guard let token = IDToken(text) else { return .unreadable }
        let isUnsigned = isEmulator && token.algorithm == "none" && token.signature.isEmpty
        if !isUnsigned {
            guard let key = keys.verifier(of: token, now: now()), await key.verify(token) else { return .unreadable }
        }
        return AccountDesk.reading(token) {
            try token.identity(now: now(), project: neededProject, mayLackExpiry: isUnsigned)
        }
    }

    private static let customAudience: JSONValue =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    /// What a token says that a server has made for one of its users. An emulator believes it unsigned, and also where it
    /// is no token but the JSON that would be in one.
    private func read(customToken text: String) async -> TokenReading {
        if isEmulator, text.hasPrefix("{") {
            return (try? JSONReader.members(Array(text.utf8))).map { .good($0) } ?? .unreadable
        }
        guard let token = IDToken(text), token.claims["aud"] == AccountDesk.customAudience else { return .unreadable }
        if isEmulator { return .good(token.claims) }
        let second = now() / 1000
        guard let customKeys, await customKeys.verify(token), let issued = token.claims["iat"]?.whole,
            let ends = token.claims["exp"]?.whole, (0...(second + 60)).contains(issued), ends <= issued + 3600
        else { return .unreadable }
        return second < ends ? .good(token.claims) : .expired
    }

    private static func reading(_ token: IDToken, _ check: () throws -> Identity) -> TokenReading {
        do {
            _ = try check()
            return .good(token.claims)
        } catch {
            return (error as? Refusal) == .expiredToken ? .expired : .unreadable
        }
    }

    /// Whether the user of this token of the hub's own is still one, and has not ended its session.
    func accepts(_ token: IDToken) async -> Bool {
        guard let id = token.claims["sub"]?.text, let time = token.claims["auth_time"]?.whole else { return false }
        let account = try? await WorkerPool.run { [file] in try file.transaction { try $0.account(id: id) } }
        guard let found = account ?? nil else { return false }
        return !found.isDisabled && found.accepts(authTime: time)
    }

    func close() throws { try file.close() }
}
