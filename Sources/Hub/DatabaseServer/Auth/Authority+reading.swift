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
