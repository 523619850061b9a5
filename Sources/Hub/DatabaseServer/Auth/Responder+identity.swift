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
    /// A stream outlives the rules of this moment, so its credential is checked all the same, and one that can't be
    /// verified is nobody's.
    func identity(_ request: RestRequest) async throws(Refusal) -> Identity {
        if rulesStore.rules(request.database) != nil || needsAdministrator(request) {
            return try await credentials.identity(of: request.credential)
        }
        guard request.wantsStream else { return .nobody }
        return (try? await credentials.identity(of: request.credential)) ?? .nobody
    }

    /// The rules themselves are shown and changed to administrators only, once there are rules or a secret.
    private func needsAdministrator(_ request: RestRequest) -> Bool {
        guard case .rules = request.target else { return false }
        return rulesStore.rules(request.database) != nil || credentials.hasSecret
    }

    /// Throws where the sender may not change the settings of the database.
    func checkSettings(_ request: RestRequest) async throws(Refusal) {
        try checkAdministrator(request)
        if !needsAdministrator(request) { try await checkDatabase(request) }
    }

    private func checkAdministrator(_ request: RestRequest) throws(Refusal) {
        if case .client = request.principal, needsAdministrator(request) { throw .permissionDenied }
    }

    func rules(_ request: RestRequest) throws -> Reply {
        try checkAdministrator(request)
        return Reply(.ok, .text(rulesStore.rules(request.database)?.text ?? RulesStore.open))
    }

    /// Puts new rules in force, and ends the streams that they don't allow.
    func replaceRules(_ request: RestRequest, _ rawRequest: Request) async throws -> Reply {
        let text = try await body(rawRequest, of: request).take()
        let database = request.database
        try rulesStore.replace(Array(text.readableBytesView), of: database)
        await commits.betweenCommits { [commits, listeners, rulesStore, time = options.time] in
            guard let rules = rulesStore.rules(database) else { return }
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
