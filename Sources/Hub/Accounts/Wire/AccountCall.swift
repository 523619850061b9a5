/// What can be asked about accounts, by the names of Identity Toolkit.
package enum AccountCall: String, Hashable, Sendable, CaseIterable {
    case signUp
    case signInWithPassword
    case signInWithCustomToken
    case signInWithEmailLink
    case signInWithIdp
    case signInWithPhoneNumber
    case sendVerificationCode
    case lookup
    case update
    case delete
    case sendOobCode
    case resetPassword
    case createAuthUri
    case batchGet
    case batchCreate
    case batchDelete
    case query
    case createSessionCookie
    /// A refresh token for an ID token.
    case token
    /// What clients ask at their start.
    case projectConfig
    case recaptchaParams
    case recaptchaConfig
    /// What users may do by themselves, as administrators see and change it.
    case getConfig
    case updateConfig
    /// Removes all accounts; for an emulator.
    case clear
}

extension AccountCall {
    /// Whether it is for administrators only.
    var isForAdministrators: Bool {
        switch self {
        case .batchGet, .batchCreate, .batchDelete, .query, .createSessionCookie, .getConfig, .updateConfig, .clear:
            true
        default: false
        }
    }

    /// The names of the time before v1, which some clients still use.
    static let legacy: [String: AccountCall] = [
        "createAuthUri": .createAuthUri, "deleteAccount": .delete, "emailLinkSignin": .signInWithEmailLink,
        "getAccountInfo": .lookup, "getOobConfirmationCode": .sendOobCode, "getProjectConfig": .projectConfig,
        "resetPassword": .resetPassword, "setAccountInfo": .update, "signupNewUser": .signUp,
        "verifyAssertion": .signInWithIdp, "verifyCustomToken": .signInWithCustomToken,
        "verifyPassword": .signInWithPassword, "downloadAccount": .batchGet, "uploadAccount": .batchCreate,
        "getRecaptchaParam": .recaptchaParams, "verifyPhoneNumber": .signInWithPhoneNumber,
        "sendVerificationCode": .sendVerificationCode,
    ]

    /// What can be asked by `GET`; all else comes by `POST`.
    var isRead: Bool {
        switch self {
        case .batchGet, .projectConfig, .recaptchaParams, .recaptchaConfig, .getConfig: true
        default: false
        }
    }
}
