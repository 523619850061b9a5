internal import DatabaseTree
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import SecurityRules

extension Responder {
    /// Who sends the request. Nothing is checked that is not needed: where no rules hold everybody may do everything,
    /// with any credential or none.
    ///
    /// A stream outlives the rules of this moment, so its credential is looked at all the same, and one that can't be
    /// believed is nobody's.
    func identity(_ asked: RestRequest) async throws(Refusal) -> Identity {
        if ruleBook.rules(asked.database) != nil || needsOwner(asked) {
            return try await credentials.identity(of: asked.credential)
        }
        guard asked.wantsStream else { return .nobody }
        return (try? await credentials.identity(of: asked.credential)) ?? .nobody
    }

    /// The rules themselves are shown and changed to administrators only, once there are rules or a secret.
    private func needsOwner(_ asked: RestRequest) -> Bool {
        guard case .rules = asked.target else { return false }
        return ruleBook.rules(asked.database) != nil || credentials.hasSecret
    }

    private func checkOwner(_ asked: RestRequest) throws(Refusal) {
        if case .client = asked.authority, needsOwner(asked) { throw .permissionDenied }
    }

    func rules(_ asked: RestRequest) throws -> Reply {
        try checkOwner(asked)
        return Reply(.ok, .text(ruleBook.rules(asked.database)?.text ?? RuleBook.open))
    }

    /// Puts new rules in force, and ends the streams that they don't allow.
    func replaceRules(_ asked: RestRequest, _ request: Request) async throws -> Reply {
        try checkOwner(asked)
        let text = try await body(request)
        let database = asked.database
        try ruleBook.replace(Array(text.readableBytesView), of: database)
        await commits.betweenCommits { [commits, listeners, ruleBook, time = options.time] in
            guard let rules = ruleBook.rules(database) else { return }
            listeners.cancel(in: commits.root(database), by: rules, now: time.now())
        }
        logger.info("Rules replaced", metadata: ["event": "rules.replaced", "database": "\(database)"])
        if !credentials.hasAdministrators {
            logger.warning(
                "Nobody can change these rules any more: this server has no secret",
                metadata: ["event": "rules.locked", "database": "\(database)"])
        }
        return Reply(.ok, .text(Array(#"{"status":"ok"}"#.utf8)))
    }
}
