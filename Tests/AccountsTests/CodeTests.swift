import Accounts
import SyncModel
import Testing

/// Codes that were sent to an address: what each is good for, once and for an hour.
struct CodeTests {
    private func code(_ office: Office, _ body: [String: JSONValue]) throws -> IssuedCode {
        try #require(try office.ask(.sendOobCode, body).code)
    }

    @Test func `a password is reset once, and other codes and sessions end with it`() throws {
        let office = Office()
        let user = try office.user()
        let asked: [String: JSONValue] = ["requestType": "PASSWORD_RESET", "email": "A@b.c"]
        let (first, second) = (try code(office, asked), try code(office, asked))
        #expect(first.link == "https://hub/action?mode=resetPassword&lang=en&oobCode=\(first.code)&apiKey=any")
        let shown = try office.answer(.resetPassword, ["oobCode": .string(first.code)])
        #expect(shown["email"] == "a@b.c" && shown["requestType"] == "PASSWORD_RESET")
        let reset: [String: JSONValue] = ["oobCode": .string(first.code), "newPassword": "another"]
        #expect(
            try office.refusal(.resetPassword, ["oobCode": .string(first.code), "newPassword": "short"])
                == "WEAK_PASSWORD : Password should be at least 6 characters")
        #expect(try office.refusal(.resetPassword, reset) == nil)
        #expect(try office.refusal(.resetPassword, reset) == "INVALID_OOB_CODE")
        #expect(try office.refusal(.resetPassword, ["oobCode": .string(second.code)]) == "INVALID_OOB_CODE")
        let renewal: [String: JSONValue] = [
            "grantType": "refresh_token", "refreshToken": user["refreshToken"] ?? .null,
        ]
        #expect(try office.refusal(.token, renewal) == "TOKEN_EXPIRED")
        let signedIn = try office.answer(.signInWithPassword, ["email": "a@b.c", "password": "another"])
        let found = try office.answer(.lookup, ["idToken": signedIn["idToken"] ?? .null])
        guard case .array(let users)? = found["users"] else { throw AccountRefusal.failed }
        #expect(users.first?.members?["emailVerified"] == true)
    }

    @Test func `a code ends after an hour`() throws {
        let office = Office()
        try office.user()
        let sent = try code(office, ["requestType": "PASSWORD_RESET", "email": "a@b.c"])
        office.now += 3_600_000
        #expect(try office.refusal(.resetPassword, ["oobCode": .string(sent.code)]) == "EXPIRED_OOB_CODE")
        office.now += 86_400_001
        _ = try code(office, ["requestType": "PASSWORD_RESET", "email": "a@b.c"])
        #expect(try office.refusal(.resetPassword, ["oobCode": .string(sent.code)]) == "INVALID_OOB_CODE")
    }

    @Test func `nobody learns whether an address is known, and nothing goes to an unknown one`() throws {
        let office = Office()
        try office.user()
        let known = try office.ask(.sendOobCode, ["requestType": "PASSWORD_RESET", "email": "a@b.c"])
        let unknown = try office.ask(.sendOobCode, ["requestType": "PASSWORD_RESET", "email": "n@b.c"])
        #expect(known.body.keys.sorted() == unknown.body.keys.sorted())
        #expect(unknown.code == nil)
        // As much is stored for either.
        #expect(office.book.codes.count == 2)
    }

    @Test func `an address is verified, and changed, by whoever reads its mail`() throws {
        let office = Office()
        let user = try office.user()
        let token = user["idToken"] ?? .null
        let verify = try code(office, ["requestType": "VERIFY_EMAIL", "idToken": token])
        #expect(try office.answer(.update, ["oobCode": .string(verify.code)])["emailVerified"] == true)
        let change = try code(
            office, ["requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": token, "newEmail": "N@b.c"])
        #expect(change.newEmail == "n@b.c")
        let changed = try office.answer(.update, ["oobCode": .string(change.code)])
        #expect(changed["email"] == "n@b.c" && changed["emailVerified"] == true)
        #expect(try office.refusal(.update, ["oobCode": .string(change.code)]) == "INVALID_OOB_CODE")
        #expect(try office.refusal(.lookup, ["idToken": token]) == "TOKEN_EXPIRED")
    }

    @Test func `a code for one thing does nothing else`() throws {
        let office = Office()
        try office.user()
        let reset = try code(office, ["requestType": "PASSWORD_RESET", "email": "a@b.c"])
        let link = try code(office, ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
        #expect(try office.refusal(.update, ["oobCode": .string(reset.code)]) == "INVALID_OOB_CODE")
        #expect(
            try office.refusal(.resetPassword, ["oobCode": .string(link.code), "newPassword": "another"])
                == "INVALID_OOB_CODE")
        #expect(
            try office.refusal(.signInWithEmailLink, ["oobCode": .string(reset.code), "email": "a@b.c"])
                == "INVALID_OOB_CODE")
    }

    @Test func `a link signs in, and takes an unproved account from whoever took the address first`() throws {
        let office = Office()
        let stranger = try office.user()
        let sent = try code(office, ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
        #expect(
            try office.refusal(.signInWithEmailLink, ["oobCode": .string(sent.code), "email": "x@b.c"])
                == "INVALID_EMAIL : The email provided does not match the sign-in email address.")
        let owner = try office.answer(.signInWithEmailLink, ["oobCode": .string(sent.code), "email": "a@b.c"])
        #expect(owner["localId"] == stranger["localId"] && owner["isNewUser"] == false)
        #expect(try office.refusal(.lookup, ["idToken": stranger["idToken"] ?? .null]) == "TOKEN_EXPIRED")
        #expect(try office.refusal(.lookup, ["idToken": owner["idToken"] ?? .null]) == nil)
        #expect(
            try office.refusal(.signInWithPassword, ["email": "a@b.c", "password": "secret"])
                == "INVALID_LOGIN_CREDENTIALS")
    }

    /// What leaves a stranger in an account with somebody else's address, and without a password.
    static let squatters: [(name: String, isAnonymous: Bool, change: [String: JSONValue])] = [
        ("an anonymous user who says an address", true, ["email": "a@b.c"]),
        ("a user who deletes the password", false, ["deleteAttribute": ["PASSWORD"]]),
    ]

    @Test(arguments: squatters) func `a link leaves a stranger no way into an unproved account`(
        _ squatter: (name: String, isAnonymous: Bool, change: [String: JSONValue])
    ) throws {
        let office = Office()
        var stranger = try squatter.isAnonymous ? office.answer(.signUp) : office.user()
        stranger = try office.answer(
            .update, squatter.change.merging(["idToken": stranger["idToken"] ?? .null]) { own, _ in own })
        let token = stranger["idToken"] ?? .null
        let away = try code(
            office, ["requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": token, "newEmail": "stranger@b.c"])
        let sent = try code(office, ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
        let owner = try office.answer(.signInWithEmailLink, ["oobCode": .string(sent.code), "email": "a@b.c"])
        #expect(owner["localId"] == stranger["localId"])
        #expect(try office.refusal(.lookup, ["idToken": token]) == "TOKEN_EXPIRED")
        let renewal: [String: JSONValue] = [
            "grantType": "refresh_token", "refreshToken": stranger["refreshToken"] ?? .null,
        ]
        #expect(try office.refusal(.token, renewal) == "TOKEN_EXPIRED")
        #expect(try office.refusal(.update, ["oobCode": .string(away.code)]) == "INVALID_OOB_CODE")
        #expect(try office.refusal(.lookup, ["idToken": owner["idToken"] ?? .null]) == nil)
    }

    @Test func `who proves the own address by a link while signed in keeps password and session`() throws {
        let office = Office()
        let user = try office.user()
        let token = user["idToken"] ?? .null
        let sent = try code(office, ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
        let proved = try office.answer(
            .signInWithEmailLink, ["oobCode": .string(sent.code), "email": "a@b.c", "idToken": token])
        #expect(proved["localId"] == user["localId"])
        #expect(try office.refusal(.lookup, ["idToken": token]) == nil)
        #expect(try office.refusal(.signInWithPassword, ["email": "a@b.c", "password": "secret"]) == nil)
    }

    @Test func `a link that gives an account its address ends the sessions before, and says so`() throws {
        let office = Office()
        let anonymous = try office.answer(.signUp)
        let sent = try code(office, ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
        let linked = try office.ask(
            .signInWithEmailLink,
            ["oobCode": .string(sent.code), "email": "a@b.c", "idToken": anonymous["idToken"] ?? .null])
        #expect(linked.body["localId"] == anonymous["localId"])
        #expect(linked.endsSessions)
        #expect(try office.refusal(.lookup, ["idToken": anonymous["idToken"] ?? .null]) == "TOKEN_EXPIRED")
        let new = try code(office, ["requestType": "EMAIL_SIGNIN", "email": "new@b.c"])
        let entered = try office.ask(.signInWithEmailLink, ["oobCode": .string(new.code), "email": "new@b.c"])
        #expect(!entered.endsSessions)
    }
}
