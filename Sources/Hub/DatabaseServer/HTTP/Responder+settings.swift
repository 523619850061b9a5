internal import DatabaseTree
internal import HTTPTypes
internal import HummingbirdCore
internal import JSONText
internal import Logging
internal import NIOCore
internal import SecurityRules
internal import SyncModel

/// What is asked and told of a database besides its data, mostly by tools.
extension Responder {
    private static let done = Reply(.ok, .text(Array(#"{"status":"ok"}"#.utf8)))

    func setting(
        _ setting: RestRequest.Setting, _ request: RestRequest, _ rawRequest: Request, _ channel: any Channel
    ) async throws -> Reply {
        try checkAdministrator(request)
        var reply: Reply
        var isPretty = request.print == .pretty
        switch (setting, request.method) {
        case (.rules, .get):
            let text = rules(request)
            reply = Reply(.ok, .text(text))
            // With comments they are no JSON, and their author has laid them out.
            if isPretty { isPretty = (try? JSONReader.value(text)) != nil }
        case (.rules, .put): reply = try await replaceRules(request, rawRequest, channel)
        case (.writeSizeLimit, .get):
            reply = Reply(.ok, json: .string(rulesStore.writeSizeLimit(request.database).rawValue))
        case (.writeSizeLimit, .put): reply = try await replaceWriteSizeLimit(request, rawRequest, channel)
        case (.strictTriggers, .get):
            reply = Responder.strictTriggers(rulesStore.hasStrictTriggers(request.database))
        case (.strictTriggers, .put): reply = try await replaceStrictTriggers(request, rawRequest, channel)
        case (.databases, .get):
            reply = Reply(.ok, json: .array(commits.databases.map { ["name": .string($0)] }))
        case (.info(let name), .get):
            reply = Reply(.ok, json: ServerInfo.value(name))
            reply.callback = request.callback
        default:
            throw Refusal(405, "Method \(request.method.rawValue) is not allowed here: use GET, or PUT for a setting")
        }
        reply.isPretty = isPretty
        return request.print == .silent ? Reply(.noContent, .none) : reply
    }

    private func rules(_ request: RestRequest) -> [UInt8] {
        let rules = rulesStore.rules(request.database)
        return (request.isStrict ? rules?.strictText : rules?.text) ?? RulesStore.open
    }

    private func replaceWriteSizeLimit(
        _ request: RestRequest, _ rawRequest: Request, _ channel: any Channel
    ) async throws -> Reply {
        let text = try await body(rawRequest, of: request, from: channel).take()
        guard let word = try? JSONReader.value(Array(text.readableBytesView)).text,
            let limit = WriteSizeLimit(rawValue: word)
        else { throw Refusal.badRequest("defaultWriteSizeLimit must be tiny, small, medium, large or unlimited") }
        try rulesStore.setWriteSizeLimit(limit, of: request.database)
        return Reply(.ok, json: .string(word))
    }

    private func replaceStrictTriggers(
        _ request: RestRequest, _ rawRequest: Request, _ channel: any Channel
    ) async throws -> Reply {
        let text = try await body(rawRequest, of: request, from: channel).take()
        guard case .bool(let isStrict)? = try? JSONReader.value(Array(text.readableBytesView)) else {
            throw Refusal.badRequest("strictTriggerValidation must be true or false")
        }
        try rulesStore.setStrictTriggers(isStrict, of: request.database)
        return Responder.strictTriggers(isStrict)
    }

    /// An object, as Google's command line takes it from the service.
    private static func strictTriggers(_ isStrict: Bool) -> Reply { Reply(.ok, json: ["value": .bool(isStrict)]) }

    /// Puts new rules in force, and ends the streams that they don't allow.
    private func replaceRules(
        _ request: RestRequest, _ rawRequest: Request, _ channel: any Channel
    ) async throws -> Reply {
        let text = try await body(rawRequest, of: request, from: channel).take()
        let database = request.database
        guard !request.isDryRun else {
            try RulesStore.check(Array(text.readableBytesView))
            return Responder.done
        }
        try rulesStore.replace(Array(text.readableBytesView), of: database)
        await commits.betweenCommits { [commits, listeners, rulesStore, time = options.time] in
            guard let rules = rulesStore.rules(database) else { return }
            listeners.cancel(in: commits.root(database), by: rules, now: time.now())
        }
        try await commits.makeDeclaredIndexes(in: database)
        logger.info("Rules replaced", metadata: ["event": "rules.replaced", "database": "\(database)"])
        if !credentials.hasAdministrators {
            logger.warning(
                "Nobody can change these rules any more: this server has no secret",
                metadata: ["event": "rules.locked", "database": "\(database)"])
        }
        return Responder.done
    }
}
