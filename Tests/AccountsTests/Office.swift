import Accounts
import JSONText
import SyncModel
import TestSupport
import Testing

/// Accounts with a clock that is moved by hand, passwords that are hashed by turning them around, and ID tokens that are
/// their claims.
final class Office {
    let book = MemoryBook()
    var now: Int64 = 1_800_000_000_000
    var policy = AccountPolicy()
    var recentSignIn: Int64? = 300
    private var calls: UInt64 = 0

    /// The answer to a call, with the ID token's claims as JSON text where there is one. Throws an ``AccountRefusal``.
    func answer(
        _ call: AccountCall, _ body: [String: JSONValue] = [:], admin: Bool = false
    ) throws -> [String: JSONValue] {
        try ask(call, body, admin: admin).body
    }

    func ask(_ call: AccountCall, _ body: [String: JSONValue], admin: Bool = false) throws -> AccountAnswer {
        var request = AccountRequest(call, AccountBody(body), project: "demo", now: now)
        request.isAdministrator = admin
        request.policy = policy
        request.recentSignIn = recentSignIn
        request.linkBase = "https://hub/action"
        request.idToken = body["idToken"]?.text.map(reading)
        request.customToken = body["token"]?.text.map(reading)
        calls += 1
        while true {
            do {
                var answer = try AccountRules.answer(request, in: book, random: SeededRandom(calls))
                if let grant = answer.grant {
                    for name in grant.members { answer.body[name] = .string(JSONWriter.string(.object(grant.claims))) }
                }
                return answer
            } catch let needed as NeededWork {
                request.done.append(result(of: needed.work))
            }
        }
    }

    private func reading(_ token: String) -> TokenReading {
        guard let claims = try? JSONReader.members(Array(token.utf8)) else { return .unreadable }
        if let ends = claims["exp"]?.whole, ends * 1000 <= now { return .expired }
        return .good(claims)
    }

    private func result(of work: PasswordWork) -> PasswordResult {
        switch work {
        case .making(let password):
            return .made(of: password, PasswordHash(method: .standard, salt: [1], key: Office.key(password)))
        case .trying(let password, let hash):
            return .tried(password, against: hash, isRight: hash?.key == Office.key(password))
        }
    }

    private static func key(_ password: String) -> [UInt8] { password.utf8.reversed() }

    /// The first word of the refusal; nil where there is an answer.
    func refusal(_ call: AccountCall, _ body: [String: JSONValue] = [:], admin: Bool = false) throws -> String? {
        do {
            _ = try ask(call, body, admin: admin)
            return nil
        } catch let refusal as AccountRefusal {
            return refusal.message
        }
    }

    /// A user with this address and the password `secret`; the answer to the sign-up.
    @discardableResult func user(_ email: String = "a@b.c") throws -> [String: JSONValue] {
        try answer(.signUp, ["email": .string(email), "password": "secret"])
    }
}
