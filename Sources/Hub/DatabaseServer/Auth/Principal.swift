internal import DatabaseTree
internal import SecurityRules
internal import SyncModel

/// Who sends a request, as the rules see it.
enum Principal: Sendable {
    /// Rules do not apply.
    case administrator
    /// Rules apply, with this as `auth`; null where nobody is signed in.
    case client(auth: JSONValue)
}

extension Principal {
    /// Whether nobody is signed in.
    var isNobody: Bool { if case .client(.null) = self { true } else { false } }

    /// Whether `rules` let this sender read, or go on listening to, `subscription`.
    ///
    /// - Parameter now: milliseconds since 1970.
    func mayRead(_ subscription: Subscription, of root: Root, by rules: Ruleset, now: Int64) -> Bool {
        guard case .client(let auth) = self else { return true }
        return RuleCheck(rules: rules, auth: auth, now: now, before: root)
            .allowsReading(subscription.path, query: subscription.query)
    }
}
