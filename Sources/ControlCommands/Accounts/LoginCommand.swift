internal import ArgumentParser
internal import ControlAPI
internal import OperatingSystem

struct LoginCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Sign in at the remote; what you say is written in your name from then on.",
        discussion: AccountOptions.discussion)

    @OptionGroup var account: AccountOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws { try await session.signIn(account, register: false) }
}

struct RegisterCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Make an account at the remote, and sign in.",
        discussion: AccountOptions.discussion)

    @OptionGroup var account: AccountOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws { try await session.signIn(account, register: true) }
}

struct LogoutCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out at the remote.",
        discussion: """
            The daemon forgets the session. What you have said and the remote does not have yet is written in the \
            daemon's own name. Another user's session is ended by root and the daemon's own user only.
            """)

    @Argument(help: "The name of the session; without it your own.")
    var name: String?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: SessionReply = try await session.client.delete(
            ControlRoute.session, name.map { ["name": $0] } ?? [:])
        try session.output.show(LogoutAnswer(reply: reply))
    }
}

struct WhoamiCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Tell who you are at the remote.",
        discussion: """
            With --all everybody who has signed in from this machine: for root and the daemon's own user. The exit code \
            is 77 where your session has ended.
            """)

    @Flag(help: "Everybody, by name.")
    var all = false

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        if all {
            let page: Page<SessionReply> = try await session.client.get(ControlRoute.sessions)
            return try session.output.show(SessionsAnswer(sessions: page.items, now: .now()))
        }
        let reply: SessionReply = try await session.client.get(ControlRoute.session)
        let hasProfile = try await session.hasProfile(reply.uid)
        try session.output.show(WhoamiAnswer(reply: reply, hasProfile: hasProfile))
        if reply.state == .ended {
            let advice =
                reply.configured == true
                ? "it needs another token in the file of users.tokens.\(reply.name ?? ""), then 'moviesync reload'"
                : "'moviesync login' begins another one"
            throw CommandFailure(.notAllowed, "your session has ended: \(advice)")
        }
    }
}

/// What somebody signs in with.
struct AccountOptions: ParsableArguments {
    static let discussion = """
        The password is asked for on the terminal, or read from --password-file or from standard input; it is kept \
        nowhere. The daemon keeps the session (sessions.json, mode 0600) and renews it. Several people may be signed in, \
        each under a name: you are the one who you signed in as last. The favourites that were kept while nobody had \
        signed in become yours.
        """

    @Option(help: "The e-mail address of the account.")
    var email: String

    @Option(
        help: ArgumentHelp(
            "What the session is called where users.map does not say; the first part of the address without it.",
            valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("A file with the password on one line, mode 0600; - is standard input.", valueName: "file"))
    var passwordFile: String?

    @Flag(help: "Leave the favourites that were kept while nobody had signed in where they are.")
    var keepLocal = false

    /// - Throws: a failure where there is no password.
    func password(repeated: Bool) throws -> String {
        let text: String
        if let passwordFile, passwordFile != "-" {
            do throws(SystemError) {
                text = String(decoding: try SecretFile.read(at: passwordFile), as: UTF8.self)
            } catch {
                throw CommandFailure(.inputOutput, "\(error)")
            }
        } else if passwordFile == nil, Terminal.isTerminal(0) {
            text = try asked(repeated: repeated)
        } else {
            text = readLine(strippingNewline: true) ?? ""
        }
        guard !text.isEmpty else { throw CommandFailure(.usage, "the password is empty") }
        return text
    }

    private func asked(repeated: Bool) throws -> String {
        let password = try AccountOptions.secret("Password for \(email): ")
        if repeated, try AccountOptions.secret("Again: ") != password {
            throw CommandFailure(.usage, "the passwords differ: no account was made")
        }
        return password
    }

    private static func secret(_ prompt: String) throws(CommandFailure) -> String {
        let typed: String?
        do {
            typed = try Terminal.secret(prompt: prompt)
        } catch {
            throw CommandFailure(.inputOutput, "\(error)")
        }
        guard let typed else { throw CommandFailure(.inputOutput, "given up: no password was typed, nothing was done") }
        return typed
    }
}

extension Session {
    fileprivate func signIn(_ account: AccountOptions, register: Bool) async throws {
        let password = try account.password(repeated: register)
        let before: SessionReply? = try? await client.get(ControlRoute.session)
        let order = SignInOrder(email: account.email, password: password, name: account.name, register: register)
        let reply: SessionReply = try await client.post(
            ControlRoute.session, body: order, wait: Session.catalogPatience)
        try output.show(WhoamiAnswer(reply: reply, hasProfile: try await hasProfile(reply.uid)))
        if let wanted = account.name, let name = reply.name, name != wanted {
            Output.note("this account is called '\(name)' here, and stays so: users.map names it")
        }
        guard !account.keepLocal else { return }
        var count = try await adoptFavourites(of: ControlRoute.localPerson, for: reply.uid)
        if let before, before.state == .local, before.uid != ControlRoute.localPerson {
            count += try await adoptFavourites(of: before.uid, for: reply.uid)
        }
        if count > 0 {
            Output.note("\(Formatted.count(count, "favourite")) of before now belong to \(reply.name ?? "you")")
        }
    }

    /// Whether a person has told something of themselves; nil where no profiles are kept.
    fileprivate func hasProfile(_ uid: String) async throws -> Bool? {
        do {
            return try await record(withKey: uid, in: ProfileCommand.collection) != nil
        } catch let failure as CommandFailure where failure.word == "unknownCollection" {
            return nil
        }
    }
}
