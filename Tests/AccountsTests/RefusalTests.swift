import Accounts
import SyncModel
import Testing

/// Which call is refused with which words, and in which order things are checked.
struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var call: AccountCall
        var body: [String: JSONValue]
        var refusal: String?
        var admin = false

        init(_ call: AccountCall, _ body: [String: JSONValue], _ refusal: String?, admin: Bool = false) {
            self.call = call
            self.body = body
            self.refusal = refusal
            self.admin = admin
        }

        var testDescription: String { "\(call.rawValue) \(body.keys.sorted())" }
    }

    static let weak = "WEAK_PASSWORD : Password should be at least 6 characters"

    static let cases = [
        Case(.signUp, ["localId": "x", "email": "n@b.c", "password": "secret"], "UNEXPECTED_PARAMETER : User ID"),
        Case(.signUp, ["password": "x"], "MISSING_EMAIL"),
        Case(.signUp, ["email": "nobody"], "MISSING_PASSWORD"),
        Case(.signUp, ["email": "nobody", "password": ""], "MISSING_PASSWORD"),
        Case(.signUp, ["email": "nobody", "password": "x"], "INVALID_EMAIL"),
        Case(.signUp, ["email": "", "password": "x"], "MISSING_EMAIL"),
        Case(.signUp, ["email": "", "password": ""], "INVALID_EMAIL"),
        Case(.signUp, ["email": "a@b@c", "password": "secret"], "INVALID_EMAIL"),
        Case(.signUp, ["email": "a\n@b", "password": "secret"], "INVALID_EMAIL"),
        Case(.signUp, ["email": "A@B.C", "password": "x"], "EMAIL_EXISTS"),
        Case(.signUp, ["email": "n@b.c", "password": "12345"], weak),
        Case(.signUp, ["email": "n@b.c", "password": "😀😀😀"], nil),
        Case(.signUp, [:], nil),
        Case(.signUp, ["email": 5, "password": "secret"], "Invalid value at 'email' (TYPE_STRING), a number"),
        Case(.signUp, ["localId": "u"], "DUPLICATE_LOCAL_ID", admin: true),
        Case(.signUp, ["email": "a@b.c"], "EMAIL_EXISTS", admin: true),
        Case(.signUp, ["phoneNumber": "12"], "INVALID_PHONE_NUMBER : Invalid format.", admin: true),
        Case(.signInWithPassword, [:], "MISSING_EMAIL"),
        Case(.signInWithPassword, ["email": "b"], "INVALID_EMAIL"),
        Case(.signInWithPassword, ["email": "a@b.c"], "MISSING_PASSWORD"),
        Case(.signInWithPassword, ["email": "a@b.c", "password": "wrong"], "INVALID_LOGIN_CREDENTIALS"),
        Case(.signInWithPassword, ["email": "n@b.c", "password": "secret"], "INVALID_LOGIN_CREDENTIALS"),
        Case(.signInWithPassword, ["email": "A@b.c", "password": "secret"], nil),
        Case(.lookup, [:], "MISSING_ID_TOKEN"),
        Case(.lookup, ["idToken": "rubbish"], "INVALID_ID_TOKEN"),
        Case(.lookup, ["idToken": #"{"sub":"gone","auth_time":1900000000}"#], "USER_NOT_FOUND"),
        Case(.lookup, ["idToken": #"{"sub":"u","auth_time":1}"#], "TOKEN_EXPIRED"),
        Case(.lookup, ["idToken": #"{"sub":"u","exp":1}"#], "TOKEN_EXPIRED"),
        Case(.update, ["displayName": "x"], "INVALID_REQ_TYPE : Unsupported request parameters."),
        Case(.update, ["idToken": "x", "customAttributes": "{}"], "INSUFFICIENT_PERMISSION"),
        Case(.update, ["oobCode": "x"], "INVALID_OOB_CODE"),
        Case(.update, ["displayName": "x"], "MISSING_LOCAL_ID", admin: true),
        Case(.update, ["localId": "gone"], "USER_NOT_FOUND", admin: true),
        Case(.update, ["localId": "u", "customAttributes": "["], "INVALID_CLAIMS", admin: true),
        Case(.update, ["localId": "u", "customAttributes": #"{"sub":1}"#], "FORBIDDEN_CLAIM : sub", admin: true),
        Case(
            .update,
            ["localId": "u", "customAttributes": .string("{\"a\":\"\(String(repeating: "x", count: 993))\"}")],
            "CLAIMS_TOO_LARGE", admin: true),
        Case(.delete, [:], "MISSING_ID_TOKEN"),
        Case(.delete, [:], "MISSING_LOCAL_ID", admin: true),
        Case(.delete, ["localId": "gone"], "USER_NOT_FOUND", admin: true),
        Case(.sendOobCode, [:], "MISSING_REQ_TYPE"),
        Case(.sendOobCode, ["requestType": "PASSWORD_RESET"], "MISSING_EMAIL"),
        Case(.sendOobCode, ["requestType": "PASSWORD_RESET", "email": "n@b.c"], nil),
        Case(
            .sendOobCode, ["requestType": "PASSWORD_RESET", "email": "a@b.c", "returnOobLink": true],
            "INSUFFICIENT_PERMISSION"),
        Case(
            .sendOobCode, ["requestType": "PASSWORD_RESET", "email": "n@b.c", "returnOobLink": true],
            "EMAIL_NOT_FOUND", admin: true),
        Case(.sendOobCode, ["requestType": "VERIFY_EMAIL"], "INVALID_ID_TOKEN"),
        Case(.sendOobCode, ["requestType": "VERIFY_AND_CHANGE_EMAIL"], "MISSING_NEW_EMAIL"),
        Case(
            .sendOobCode, ["requestType": "EMAIL_SIGNIN", "email": "n@b.c", "continueUrl": "x"],
            "INVALID_CONTINUE_URI"),
        Case(.resetPassword, [:], "MISSING_OOB_CODE"),
        Case(.resetPassword, ["oobCode": "x", "newPassword": "x"], "INVALID_OOB_CODE"),
        Case(.token, [:], "MISSING_GRANT_TYPE"),
        Case(.token, ["grant_type": "password"], "INVALID_GRANT_TYPE"),
        Case(.token, ["grantType": "refresh_token"], "MISSING_REFRESH_TOKEN"),
        Case(.token, ["grantType": "refresh_token", "refreshToken": "x"], "INVALID_REFRESH_TOKEN"),
        Case(.signInWithCustomToken, [:], "MISSING_CUSTOM_TOKEN"),
        Case(.signInWithCustomToken, ["token": "x"], "INVALID_CUSTOM_TOKEN : Invalid assertion format"),
        Case(.signInWithCustomToken, ["token": "{}"], "MISSING_IDENTIFIER"),
        Case(.signInWithCustomToken, ["token": #"{"uid":"c","claims":{"sub":"x"}}"#], "FORBIDDEN_CLAIM : sub"),
        Case(.signInWithIdp, [:], "OPERATION_NOT_ALLOWED"),
        Case(.batchGet, [:], AccountRefusal.unauthenticated.message),
        Case(.batchDelete, [:], "LOCAL_ID_LIST_EXCEEDS_LIMIT", admin: true),
        Case(.batchCreate, [:], "MISSING_USER_ACCOUNT", admin: true),
        Case(.batchCreate, ["users": [["localId": "x"], ["localId": "x"]]], "DUPLICATE_LOCAL_ID : x", admin: true),
        Case(
            .batchCreate, ["users": [["localId": "x"]], "hashAlgorithm": "STANDARD_SCRYPT", "memoryCost": 3],
            "INVALID_HASH_PARAMETERS", admin: true),
    ]

    @Test(arguments: cases) func `a call is answered, or refused with the words that clients look for`(
        _ given: Case
    ) throws {
        let office = Office()
        try office.user()
        _ = try office.answer(.signUp, ["localId": "u"], admin: true)
        let before = office.book.accounts
        #expect(try office.refusal(given.call, given.body, admin: given.admin) == given.refusal)
        if given.refusal != nil { #expect(office.book.accounts == before) }
    }

    @Test func `what nobody may do is said so, and people learn of addresses where they may`() throws {
        let office = Office()
        try office.user()
        office.policy = AccountPolicy(hidesEmails: false)
        let wrong: [String: JSONValue] = ["email": "a@b.c", "password": "wrong1"]
        let unknown: [String: JSONValue] = ["email": "n@b.c", "password": "secret", "requestType": "PASSWORD_RESET"]
        #expect(try office.refusal(.signInWithPassword, wrong) == "INVALID_PASSWORD")
        #expect(try office.refusal(.signInWithPassword, unknown) == "EMAIL_NOT_FOUND")
        #expect(try office.refusal(.sendOobCode, unknown) == "EMAIL_NOT_FOUND")
        let closed: JSONValue = [
            "email": ["enabled": false], "anonymous": ["enabled": false],
        ]
        _ = try office.answer(.updateConfig, ["signIn": closed], admin: true)
        #expect(try office.refusal(.signInWithPassword, wrong) == "PASSWORD_LOGIN_DISABLED")
        #expect(try office.refusal(.signUp, ["email": "n@b.c", "password": "secret"]) == "OPERATION_NOT_ALLOWED")
        #expect(try office.refusal(.signUp) == "ADMIN_ONLY_OPERATION")
        #expect(try office.refusal(.updateConfig) == AccountRefusal.unauthenticated.message)
    }

    @Test func `the envelope of a refusal is Google's`() {
        let body: JSONValue = [
            "error": [
                "code": 400, "message": "EMAIL_EXISTS",
                "errors": [["message": "EMAIL_EXISTS", "reason": "invalid", "domain": "global"]],
            ]
        ]
        #expect(AccountRefusal("EMAIL_EXISTS").body == body)
    }
}
