internal import AsyncHTTPClient
internal import FoundationEssentials
internal import HTTPCalling
internal import JSONText
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
internal import SyncModel
internal import Synchronization

/// The people of a Firebase project, or of a hub: Identity Toolkit v1 and the secure token service.
struct FirebaseAccounts: RemoteAccounts {
    private static let bodyLimit = 1 << 20
    /// So much of a token's life passes before the next one is asked for.
    private static let useOfLife = 0.8

    let places: AccountPlaces
    /// Why passwords may not be sent there; nil where they may.
    let objection: String?
    let http: HTTPClient
    let timeouts: FirebaseSettings.Timeouts
    let meter: TrafficMeter
    /// Makes a remote that acts with these tokens.
    let acting: @Sendable (AccessTokens) -> FirebaseRemote

    func signIn(email: String, password: String) async throws -> RemoteGrant {
        try await enter("accounts:signInWithPassword", email, password)
    }

    func register(email: String, password: String) async throws -> RemoteGrant {
        try await enter("accounts:signUp", email, password)
    }

    private func enter(_ method: String, _ email: String, _ password: String) async throws -> RemoteGrant {
        let order: [String: JSONValue] = [
            "email": .string(email), "password": .string(password), "returnSecureToken": true,
        ]
        let answer = try await ask(
            places.methods + method, .init(name: "Content-Type", value: "application/json"), JSONWriter.text(order),
            secret: password)
        guard let uid = answer["localId"]?.text, let token = answer["refreshToken"]?.text else {
            throw AccountError(.offline, "\(places.methods)\(method) gave an answer without localId and refreshToken")
        }
        return RemoteGrant(uid: uid, email: answer["email"]?.text ?? email, refreshToken: token)
    }

    func grant(_ refreshToken: String) async throws -> RemoteGrant { try await renewed(refreshToken).grant }

    func remote(
        actingWith refreshToken: String, renewed note: @escaping @Sendable (_ last: String, _ next: String) -> Void
    ) -> any Remote {
        let current = Mutex(refreshToken)
        return acting(
            AccessTokens(youth: .zero) {
                do {
                    let last = current.withLock { $0 }
                    let (grant, token) = try await renewed(last)
                    if grant.refreshToken != last {
                        current.withLock { $0 = grant.refreshToken }
                        note(last, grant.refreshToken)
                    }
                    return token
                } catch let error as AccountError {
                    let hasEnded = error.reason == .sessionEnded || error.reason == .disabled
                    throw RemoteError(hasEnded ? .sessionEnded : .personUnreachable, error.message)
                }
            })
    }

    private func renewed(_ refreshToken: String) async throws -> (grant: RemoteGrant, token: AccessToken) {
        let form = "grant_type=refresh_token&refresh_token=\(PercentEncoding.encoded(refreshToken))"
        let asked = ContinuousClock.now
        let answer = try await ask(
            places.tokens, .init(name: "Content-Type", value: "application/x-www-form-urlencoded"), Array(form.utf8),
            secret: refreshToken)
        guard let uid = answer["user_id"]?.text, let text = answer["id_token"]?.text else {
            throw AccountError(.offline, "\(places.tokens) gave an answer without user_id and id_token")
        }
        let life = AccessToken.life(seconds: answer["expires_in"]?.text.flatMap { Int64($0) })
        let token = AccessToken(
            text: text, obtained: asked, renewal: asked + life * FirebaseAccounts.useOfLife, expires: asked + life)
        let next = answer["refresh_token"]?.text ?? refreshToken
        return (RemoteGrant(uid: uid, email: nil, refreshToken: next), token)
    }

    private struct Header {
        var name: String
        var value: String
    }

    /// - Parameter secret: what is in the body that must not be shown, should the answer repeat it.
    /// - Throws: ``AccountError``, or `CancellationError`.
    private func ask(
        _ place: String, _ type: Header, _ body: [UInt8], secret: String
    ) async throws -> [String: JSONValue] {
        if let objection { throw AccountError(.refused, objection) }
        guard let key = places.key else {
            throw AccountError(
                .refused, "remote.accounts.apiKey is missing: the web API key of the project, from Firebase's console")
        }
        var request = HTTPClientRequest(url: "\(place)?key=\(PercentEncoding.encoded(key))")
        request.method = .POST
        request.headers.add(name: type.name, value: type.value)
        request.body = .bytes(ByteBuffer(bytes: body))
        meter.requestSent(bytes: body.count)
        let status: UInt
        let text: [UInt8]
        do {
            let response = try await http.execute(request, deadline: .now() + TimeAmount(timeouts.request))
            let bytes = try await response.body.collect(upTo: FirebaseAccounts.bodyLimit, within: timeouts.request)
            (status, text) = (response.status.code, Array(bytes.readableBytesView))
        } catch {
            let failure = await RemoteError.unanswered(error, from: place, at: place)
            guard let failure = failure as? RemoteError else { throw failure }
            throw AccountError(.offline, failure.message)
        }
        meter.received(bytes: text.count)
        let answer = (try? JSONReader.members(text)) ?? [:]
        guard status == 200 else { throw AccountError(status: status, answer["error"], at: place, without: secret) }
        return answer
    }
}

extension AccountError {
    /// What an answer means that is no success: clients look at the first word of its message.
    init(status: UInt, _ error: JSONValue?, at place: String, without secret: String) {
        let message = error?.members?["message"]?.text ?? error?.text ?? ""
        let word = message.prefix { !$0.isWhitespace && $0 != ":" }
        if let known = AccountError.known[String(word)] {
            self.init(known.reason, known.words)
            return
        }
        let said = message.without([secret])
        if status == 429 || status >= 500 {
            self.init(.offline, RemoteError.oneLine("\(place) answers \(status) \(said)"))
        } else {
            self.init(.refused, RemoteError.oneLine("\(place) refuses: \(status) \(said)"))
        }
    }

    /// Firebase's words (https://firebase.google.com/docs/reference/rest/auth).
    private static let known: [String: (reason: Reason, words: String)] = {
        let wrong = (Reason.wrongCredentials, "no account has this e-mail address with this password")
        let ended = "the session has ended"
        return [
            "EMAIL_NOT_FOUND": wrong, "INVALID_PASSWORD": wrong, "INVALID_LOGIN_CREDENTIALS": wrong,
            "EMAIL_EXISTS": (.emailTaken, "this e-mail address has an account already: log in"),
            "INVALID_EMAIL": (.invalidEmail, "this is no e-mail address"),
            "MISSING_EMAIL": (.invalidEmail, "the e-mail address is missing"),
            "WEAK_PASSWORD": (.weakPassword, "a password has at least 6 characters"),
            "MISSING_PASSWORD": (.weakPassword, "the password is missing"),
            "USER_DISABLED": (.disabled, "the account is disabled"),
            "TOO_MANY_ATTEMPTS_TRY_LATER": (.tooManyAttempts, "too many attempts: try again in some minutes"),
            "TOKEN_EXPIRED": (.sessionEnded, "\(ended): the account was changed since"),
            "USER_NOT_FOUND": (.sessionEnded, "\(ended): the account does not exist any more"),
            "INVALID_REFRESH_TOKEN": (.sessionEnded, "\(ended): the remote does not know it"),
            "MISSING_REFRESH_TOKEN": (.sessionEnded, "\(ended): its token is empty"),
        ]
    }()
}
