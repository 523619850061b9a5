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

    /// Seconds: so old may a sign-in be for a change of e-mail or password.
    private static let recentSignIn: Int64 = 300

    let project: String
    let keys: SigningKeys
    let codes: CodeDelivery
    private let file: AccountFile
    private let bench: PasswordBench
    private let isEmulator: Bool
    private let policy: AccountPolicy
    private let customKeys: TokenKeys?
    private let time: WallTime
    private let limits = Mutex(AttemptLimits())
    private let revocations = Mutex(0)
    private let logger: Logger

    /// Opens the accounts in the folder of the data; makes what is missing. Throws a ``ServerError``.
    init(_ configuration: AccountConfiguration, _ options: ServerConfiguration, logger: Logger) throws {
        project = configuration.project
        file = try AccountFile(folder: options.data)
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
        if call == .sendOobCode, !sender.isAdministrator {
            try begin(["send", try body.words("email") ?? ""], ["send", sender.address ?? ""])
        }
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
        let keys = [["try", try request.body.words("email") ?? ""], ["try", sender.address ?? ""]]
        try begin(keys[0], keys[1], now: request.now)
        let result = try await bench.done(work)
        if case .tried(_, _, isRight: true) = result, !isEmulator {
            limits.withLock { $0.forgive(keys.map(AccountDesk.key), begunAt: request.now) }
        }
        return result
    }

    /// Counts an attempt. Throws where there were too many; an emulator counts none.
    private func begin(_ keys: [String]..., now time: Int64? = nil) throws {
        guard !isEmulator else { return }
        let keys = keys.filter { $0.last?.isEmpty == false }.map(AccountDesk.key)
        guard limits.withLock({ $0.begin(keys, now: time ?? now()) }) else { throw AccountRefusal.tooManyAttempts }
    }

    private static func key(_ parts: [String]) -> String { parts.joined(separator: " ").lowercased() }

    // MARK: Tokens

    /// What an ID token says that a call carries.
    private func read(idToken text: String) async -> TokenReading {
        guard let token = IDToken(text) else { return .unreadable }
        let isUnsigned = isEmulator && token.algorithm == "none" && token.signature.isEmpty
        if !isUnsigned {
            guard let key = keys.verifier(of: token, now: now()), await key.verify(token) else { return .unreadable }
        }
        return AccountDesk.reading(token) {
            try token.identity(now: now(), project: project, mayLackExpiry: isUnsigned)
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
        guard let customKeys, await customKeys.verify(token), let issued = token.claims["iat"]?.whole,
            let ends = token.claims["exp"]?.whole, ends - issued <= 3600, issued <= now() / 1000 + 60
        else { return .unreadable }
        return now() / 1000 < ends ? .good(token.claims) : .expired
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
