internal import DatabaseTree
internal import SecurityRules
internal import SyncModel

/// Who sends a request.
enum Authority: Sendable {
    /// Rules do not apply.
    case owner
    /// Rules apply, with this as `auth`; null where nobody is signed in.
    case client(auth: JSONValue)
}

extension Authority {
    /// Whether `rules` let this sender read, or go on listening to, `interest`.
    ///
    /// - Parameter now: milliseconds since 1970.
    func mayRead(_ interest: Subscription, of root: Root, by rules: Ruleset, now: Int64) -> Bool {
        guard case .client(let auth) = self else { return true }
        return RuleCheck(rules: rules, auth: auth, now: now, before: root)
            .allowsReading(interest.path, query: interest.query)
    }
}
