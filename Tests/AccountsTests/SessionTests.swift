import Accounts
import JSONText
import SyncModel
import Testing

/// How long one is signed in, and what tokens say.
struct SessionTests {
    private func claims(_ answer: [String: JSONValue], _ member: String = "idToken") throws -> [String: JSONValue] {
        try JSONReader.members(Array((answer[member]?.text ?? "").utf8))
    }

    private func refresh(_ token: JSONValue?) -> [String: JSONValue] {
        ["grant_type": "refresh_token", "refresh_token": token ?? .null]
    }

    @Test func `a token says who signed in when and how`() throws {
        let office = Office()
        let answer = try office.user("Anna@B.c")
        let id = try #require(answer["localId"]?.text)
        #expect(answer["kind"] == "identitytoolkit#SignupNewUserResponse")
        #expect(answer["email"] == "anna@b.c")
        #expect(answer["expiresIn"] == "3600")
        let expected: [String: JSONValue] = [
            "iss": "https://securetoken.google.com/demo", "aud": "demo", "sub": .string(id), "user_id": .string(id),
            "auth_time": 1_800_000_000, "iat": 1_800_000_000, "exp": 1_800_003_600, "email": "anna@b.c",
            "email_verified": false,
            "firebase": ["identities": ["email": ["anna@b.c"]], "sign_in_provider": "password"],
        ]
        #expect(try claims(answer) == expected)
    }

    @Test func `claims of administrators and of custom tokens are in every token, and never hide the service's`() throws
    {
        let office = Office()
        let custom = #"{"uid":"u","claims":{"role":"guest","email":"x@y.z"}}"#
        let answer = try office.answer(.signInWithCustomToken, ["token": .string(custom)])
        #expect(answer["isNewUser"] == true)
        _ = try office.answer(
            .update, ["localId": "u", "customAttributes": #"{"role":"boss","level":3}"#, "email": "u@b.c"], admin: true)
        let again = try office.answer(.signInWithCustomToken, ["token": .string(custom)])
        #expect(again["isNewUser"] == false)
        let renewed = try office.answer(.token, refresh(again["refreshToken"]))
        for claims in [try claims(again), try claims(renewed, "id_token")] {
            #expect(claims["role"] == "guest" && claims["level"] == 3 && claims["email"] == "u@b.c")
            #expect(claims["firebase"]?.members?["sign_in_provider"] == "custom")
        }
    }

    @Test func `an anonymous user says so, until an address and a password are linked`() throws {
        let office = Office()
        let anonymous = try office.answer(.signUp)
        #expect(try claims(anonymous)["provider_id"] == "anonymous")
        let linked = try office.answer(
            .signUp, ["idToken": anonymous["idToken"] ?? .null, "email": "a@b.c", "password": "secret"])
        #expect(linked["localId"] == anonymous["localId"])
        #expect(try claims(linked)["provider_id"] == nil)
        #expect(try claims(linked)["email"] == "a@b.c")
        #expect(try office.refusal(.token, refresh(anonymous["refreshToken"])) == "TOKEN_EXPIRED")
        #expect(try office.refusal(.signInWithPassword, ["email": "a@b.c", "password": "secret"]) == nil)
    }

    @Test func `a refresh token stays, and its sign-in keeps its time`() throws {
        let office = Office()
        let answer = try office.user()
        office.now += 7_200_000
        let renewed = try office.answer(.token, refresh(answer["refreshToken"]))
        #expect(renewed["refresh_token"] == answer["refreshToken"])
        #expect(renewed["id_token"] == renewed["access_token"])
        #expect(renewed["user_id"] == answer["localId"])
        #expect(renewed["token_type"] == "Bearer" && renewed["expires_in"] == "3600")
        #expect(renewed["project_id"] == "demo")
        let claims = try claims(renewed, "id_token")
        #expect(claims["auth_time"] == 1_800_000_000 && claims["iat"] == 1_800_007_200)
        #expect(try office.refusal(.lookup, ["idToken": answer["idToken"] ?? .null]) == "TOKEN_EXPIRED")
        #expect(try office.refusal(.lookup, ["idToken": renewed["id_token"] ?? .null]) == nil)
    }

    /// What ends all sessions, also those that began in the same second.
    static let endings: [(name: String, body: [String: JSONValue], admin: Bool)] = [
        ("a new password", ["password": "another"], false), ("a new address", ["email": "n@b.c"], false),
        ("an administrator's new password", ["password": "another"], true),
        ("an administrator's end", ["validSince": 1_800_000_000], true),
        ("an administrator's end as text", ["validSince": "1800000000"], true),
    ]

    @Test(arguments: endings) func `old tokens end, and new ones don't`(
        _ ending: (name: String, body: [String: JSONValue], admin: Bool)
    ) throws {
        let office = Office()
        let old = try office.user()
        var body = ending.body
        body[ending.admin ? "localId" : "idToken"] = ending.admin ? old["localId"] : old["idToken"]
        let answer = try office.ask(.update, body, admin: ending.admin)
        #expect(answer.endsSessions)
        #expect(try office.refusal(.token, refresh(old["refreshToken"])) == "TOKEN_EXPIRED")
        #expect(try office.refusal(.lookup, ["idToken": old["idToken"] ?? .null]) == "TOKEN_EXPIRED")
        #expect((answer.body["idToken"] != nil) == !ending.admin)
        var new = answer.body
        if ending.admin {
            let password = body["password"] ?? "secret"
            new = try office.answer(.signInWithPassword, ["email": "a@b.c", "password": password])
        }
        #expect(try office.refusal(.token, refresh(new["refreshToken"])) == nil)
        #expect(try office.refusal(.lookup, ["idToken": new["idToken"] ?? .null]) == nil)
    }

    @Test func `who is disabled or gone gets nothing any more`() throws {
        let office = Office()
        let user = try office.user()
        let id = user["localId"] ?? .null
        _ = try office.answer(.update, ["localId": id, "disableUser": true], admin: true)
        #expect(try office.refusal(.token, refresh(user["refreshToken"])) == "USER_DISABLED")
        #expect(try office.refusal(.lookup, ["idToken": user["idToken"] ?? .null]) == "USER_DISABLED")
        let right: [String: JSONValue] = ["email": "a@b.c", "password": "secret"]
        #expect(try office.refusal(.signInWithPassword, right) == "USER_DISABLED")
        let wrong: [String: JSONValue] = ["email": "a@b.c", "password": "wrong1"]
        #expect(try office.refusal(.signInWithPassword, wrong) == "INVALID_LOGIN_CREDENTIALS")
        _ = try office.answer(.update, ["localId": id, "disableUser": false], admin: true)
        #expect(try office.refusal(.token, refresh(user["refreshToken"])) == nil)
        _ = try office.answer(.delete, ["idToken": user["idToken"] ?? .null])
        #expect(office.book.accounts.isEmpty)
        #expect(try office.refusal(.token, refresh(user["refreshToken"])) == "INVALID_REFRESH_TOKEN")
        #expect(try office.refusal(.lookup, ["idToken": user["idToken"] ?? .null]) == "USER_NOT_FOUND")
    }

    @Test func `a change of what one signs in with needs a recent sign-in`() throws {
        let office = Office()
        let user = try office.user()
        let token = user["idToken"] ?? .null
        office.now += 301_000
        #expect(
            try office.refusal(.update, ["idToken": token, "password": "another"]) == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        #expect(try office.refusal(.delete, ["idToken": token]) == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        #expect(try office.refusal(.update, ["idToken": token, "displayName": "Anna"]) == nil)
    }
}
