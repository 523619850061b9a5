internal import SyncModel

/// What a request wants of the accounts, by its method and path.
package enum AccountRoute: Hashable, Sendable {
    /// - Parameter project: as the path says it; nil where it says none.
    case call(AccountCall, project: String?)
    /// The public keys of ID tokens as a JSON Web Key Set.
    case keySet
    /// The same as certificates, by key id.
    case certificates
    /// What a page of an emulator shows.
    case emulator(Emulated, project: String?)
    /// A place of the accounts where there is nothing, or not with this method.
    case unknown

    /// What only an emulator answers.
    package enum Emulated: Hashable, Sendable {
        case ready
        case sentCodes
        case verificationCodes
        /// A link that was sent is followed.
        case action
    }

    /// Nil where the path is none of accounts.
    ///
    /// - Parameter path: without its query. Paths of databases end with `.json`, and none of these does.
    package init?(method: String, path: Substring) {
        guard !path.utf8.suffix(5).elementsEqual(".json".utf8), let plain = PercentEncoding.decoded(path) else {
            return nil
        }
        if plain == "/" {
            guard method == "GET" else { return nil }
            self = .emulator(.ready, project: nil)
            return
        }
        var parts = plain.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var isOurs = false
        if let host = parts.first, AccountRoute.hosts.contains(String(host)) {
            parts = parts.dropFirst()
            isOurs = true
        }
        if let found = AccountRoute.found(method, parts.map(String.init)) {
            self = found
        } else if isOurs || AccountRoute.isOurs(parts) {
            self = .unknown
        } else {
            return nil
        }
    }

    private static let hosts = ["identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com"]

    private static func isOurs(_ parts: ArraySlice<Substring>) -> Bool {
        guard let first = parts.first else { return false }
        return ["v1", "v2", "emulator", "identitytoolkit", "service_accounts", "robot"].contains(first)
    }

    private static func found(_ method: String, _ parts: [String]) -> AccountRoute? {
        switch parts.first {
        case "v1": return first(method, Array(parts.dropFirst()))
        case "v2": return second(method, Array(parts.dropFirst()))
        case "identitytoolkit": return legacy(method, Array(parts.dropFirst()))
        case "service_accounts", "robot": return method == "GET" ? keys(parts) : nil
        case "emulator": return emulated(method, Array(parts.dropFirst()))
        default: return nil
        }
    }

    private static func first(_ method: String, _ parts: [String]) -> AccountRoute? {
        if parts.count == 1 {
            switch (parts[0], method) {
            case ("token", "POST"): return .call(.token, project: nil)
            case ("projects", "GET"): return .call(.projectConfig, project: nil)
            case ("recaptchaParams", "GET"): return .call(.recaptchaParams, project: nil)
            case ("publicKeys", "GET"), ("sessionCookiePublicKeys", "GET"): return .certificates
            default: return accounts(method, parts[0], project: nil)
            }
        }
        guard parts.first == "projects" else { return nil }
        if parts.count == 2 {
            let named = parts[1].split(separator: ":", maxSplits: 1).map(String.init)
            guard named.count == 2, named[1] == "createSessionCookie", method == "POST" else { return nil }
            return .call(.createSessionCookie, project: named[0])
        }
        guard parts.count == 3 else { return nil }
        if parts[2] == "accounts", method == "POST" { return .call(.signUp, project: parts[1]) }
        return accounts(method, parts[2], project: parts[1])
    }

    private static func accounts(_ method: String, _ name: String, project: String?) -> AccountRoute? {
        let prefix = "accounts:"
        guard name.hasPrefix(prefix), let call = AccountCall(rawValue: String(name.dropFirst(prefix.count))),
            !AccountRoute.elsewhere.contains(call), method == (call.isRead ? "GET" : "POST")
        else { return nil }
        return .call(call, project: project)
    }

    /// Calls that have places of their own.
    private static let elsewhere: Set<AccountCall> = [
        .token, .projectConfig, .recaptchaParams, .recaptchaConfig, .getConfig, .updateConfig, .clear,
        .createSessionCookie,
    ]

    private static func second(_ method: String, _ parts: [String]) -> AccountRoute? {
        if parts == ["recaptchaConfig"], method == "GET" { return .call(.recaptchaConfig, project: nil) }
        guard parts.count == 3, parts[0] == "projects", parts[2] == "config" else { return nil }
        switch method {
        case "GET": return .call(.getConfig, project: parts[1])
        case "PATCH": return .call(.updateConfig, project: parts[1])
        default: return nil
        }
    }

    private static func legacy(_ method: String, _ parts: [String]) -> AccountRoute? {
        guard parts.count == 3, parts[0] == "v3", parts[1] == "relyingparty" else { return nil }
        if parts[2] == "publicKeys" { return method == "GET" ? .certificates : nil }
        guard let call = AccountCall.legacy[parts[2]] else { return nil }
        // The old names of what is only read came by either method.
        return method == "POST" || (method == "GET" && call.isRead) ? .call(call, project: nil) : nil
    }

    private static let signer = "securetoken@system.gserviceaccount.com"

    private static func keys(_ parts: [String]) -> AccountRoute? {
        switch parts {
        case ["service_accounts", "v1", "jwk", signer]: .keySet
        case ["robot", "v1", "metadata", "x509", signer]: .certificates
        default: nil
        }
    }

    private static func emulated(_ method: String, _ parts: [String]) -> AccountRoute? {
        if parts == ["action"] { return method == "GET" ? .emulator(.action, project: nil) : nil }
        guard parts.count == 4, parts[0] == "v1", parts[1] == "projects" else { return nil }
        let project = parts[2]
        switch (method, parts[3]) {
        case ("DELETE", "accounts"): return .call(.clear, project: project)
        case ("GET", "config"): return .call(.getConfig, project: project)
        case ("PATCH", "config"): return .call(.updateConfig, project: project)
        case ("GET", "oobCodes"): return .emulator(.sentCodes, project: project)
        case ("GET", "verificationCodes"): return .emulator(.verificationCodes, project: project)
        default: return nil
        }
    }
}
