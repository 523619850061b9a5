package import SyncModel

/// Why a call is answered with an error; clients look at the first word of the message.
package struct AccountRefusal: Error, Hashable, Sendable {
    package var code: Int
    package var message: String
    /// A word of Google's for the kind of error, where there is one.
    package var status: String?

    package init(_ message: String, code: Int = 400, status: String? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    /// The body of the answer.
    package var body: JSONValue {
        let first: JSONValue = [
            "message": .string(message), "reason": .string(AccountRefusal.reasons[code] ?? "invalid"),
            "domain": "global",
        ]
        var error: [String: JSONValue] = [
            "code": .integer(Int64(code)), "message": .string(message), "errors": [first],
        ]
        if let status { error["status"] = .string(status) }
        return ["error": .object(error)]
    }

    private static let reasons = [
        401: "required", 403: "forbidden", 404: "notFound", 501: "unimplemented", 503: "backendError",
    ]
}

extension AccountRefusal {
    package static let missingKey = AccountRefusal(
        "The request is missing a valid API key.", code: 403, status: "PERMISSION_DENIED")
    package static let unauthenticated = AccountRefusal(
        "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other "
            + "valid authentication credential. See "
            + "https://developers.google.com/identity/sign-in/web/devconsole-project.",
        code: 401, status: "UNAUTHENTICATED")
    package static let notFound = AccountRefusal("Not found", code: 404, status: "NOT_FOUND")
    package static let busy = AccountRefusal(
        "The service is currently unavailable.", code: 503, status: "UNAVAILABLE")
    package static let failed = failed("Internal error encountered.")
    /// - Parameter message: what is wrong with the store, for people.
    package static func failed(_ message: String) -> AccountRefusal {
        AccountRefusal(message, code: 500, status: "INTERNAL")
    }
    package static let tooLarge = AccountRefusal("Request payload size exceeds the limit.", code: 413)
    package static let tooManyAttempts = AccountRefusal("TOO_MANY_ATTEMPTS_TRY_LATER")
    package static let invalidIDToken = AccountRefusal("INVALID_ID_TOKEN")
    package static let tokenExpired = AccountRefusal("TOKEN_EXPIRED")
    static let userNotFound = AccountRefusal("USER_NOT_FOUND")
    static let userDisabled = AccountRefusal("USER_DISABLED")
    static let emailExists = AccountRefusal("EMAIL_EXISTS")
    static let missingEmail = AccountRefusal("MISSING_EMAIL")
    static let missingLocalID = AccountRefusal("MISSING_LOCAL_ID")
    static let missingIDToken = AccountRefusal("MISSING_ID_TOKEN")
    static let invalidEmail = AccountRefusal("INVALID_EMAIL")
    static let invalidCode = AccountRefusal("INVALID_OOB_CODE")
    static let notAllowed = AccountRefusal("OPERATION_NOT_ALLOWED")
    static let insufficient = AccountRefusal("INSUFFICIENT_PERMISSION")
    static let weakPassword = AccountRefusal("WEAK_PASSWORD : Password should be at least 6 characters")
    static let duplicateID = AccountRefusal("DUPLICATE_LOCAL_ID")
    package static let invalidJSON = AccountRefusal(
        "Invalid JSON payload received. Unexpected token.", status: "INVALID_ARGUMENT")
}
