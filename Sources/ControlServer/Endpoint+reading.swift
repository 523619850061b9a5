internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird

extension Endpoint {
    /// What anybody who can connect may read, answered at once.
    static func reading(_ service: any ControlService) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.collections) { _, _ in try .reply(Page(items: service.schemas())) },
            Endpoint(.get, ControlRoute.records + "/:collection") { request, context in
                let arguments = RequestArguments(request, context)
                let filter = try RecordFilter(parsing: arguments.query("where") ?? "")
                let page = try await service.records(
                    in: arguments.part("collection"), after: arguments.query("after"), limit: try arguments.limit(),
                    filter: filter
                )
                return .reply(page)
            },
            Endpoint(.get, ControlRoute.holds) { _, _ in
                try .reply(Page(items: try await service.holds()))
            },
            Endpoint(.get, ControlRoute.quarantine) { request, context in
                let arguments = RequestArguments(request, context)
                let limit = try arguments.limit()
                return try .reply(try await service.quarantine(after: arguments.query("after"), limit: limit))
            },
            Endpoint(.get, ControlRoute.conflicts) { request, context in
                let arguments = RequestArguments(request, context)
                let limit = try arguments.limit()
                return try .reply(try await service.conflicts(after: arguments.query("after"), limit: limit))
            },
        ]
    }

    /// All that is known of one thing.
    static func explaining(_ service: any ControlService) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.why + "/:collection/:id") { request, context in
                let arguments = RequestArguments(request, context)
                return try .reply(try await service.why(try arguments.recordID(), in: arguments.part("collection")))
            },
            Endpoint(.get, ControlRoute.history + "/:collection/:id") { request, context in
                let arguments = RequestArguments(request, context)
                let history = try await service.history(
                    of: try arguments.recordID(), in: arguments.part("collection"), after: arguments.query("after"),
                    limit: try arguments.limit())
                return try .reply(history)
            },
            Endpoint(.get, ControlRoute.quarantine + "/:id") { request, context in
                try .reply(try await service.quarantined(try RequestArguments(request, context).number()))
            },
        ]
    }

    /// What anybody who can connect may ask for, and may take long.
    static func waiting(_ service: any ControlService) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.records + "/:collection/:id") { request, context in
                let arguments = RequestArguments(request, context)
                let (collection, id) = (arguments.part("collection"), try arguments.recordID())
                guard let wait = try arguments.wait() else {
                    return try .reply(try await service.record(id, in: collection))
                }
                return try await request.whileConnected {
                    try .reply(try await service.waitForRecord(id, in: collection, timeout: wait))
                }
            },
            edit(service),
            Endpoint(.get, ControlRoute.checks) { _, _ in try .reply(Page(items: await service.checks())) },
            Endpoint(.get, ControlRoute.nodes) { _, _ in try .reply(Page(items: try await service.nodes())) },
            Endpoint(.post, ControlRoute.sync, words: ["wait"]) { request, context in
                guard let wait = try RequestArguments(request, context).wait() else {
                    return try .reply(try await service.sync(wait: nil))
                }
                return try await request.whileConnected { try .reply(try await service.sync(wait: wait)) }
            },
            Endpoint(.get, ControlRoute.changes) { request, context in
                let arguments = RequestArguments(request, context)
                let after = try arguments.sequence()
                guard arguments.wantsEvents else {
                    return try .reply(try await service.changes(after: after, limit: try arguments.limit()))
                }
                return .eventStream(
                    try await service.liveChanges(after: after), of: request, id: \.seq,
                    // So that the answer's head is on its way before anything happens.
                    beginning: ":\n\n")
            },
        ]
    }

    /// What has become of an edit.
    private static func edit(_ service: any ControlService) -> Endpoint {
        Endpoint(.get, ControlRoute.edits + "/:collection/:id") { request, context in
            let arguments = RequestArguments(request, context)
            let (collection, id) = (arguments.part("collection"), try arguments.recordID())
            guard let opID = arguments.query("op"), !opID.isEmpty else {
                throw ControlError.badRequest("badOp", "op is the opID of a line")
            }
            let (wait, onlyRead) = (try arguments.wait() ?? .zero, try arguments.flag("read"))
            return try await request.whileConnected {
                try .reply(
                    try await service.edit(opID, of: id, in: collection, timeout: wait, onlyRead: onlyRead))
            }
        }
    }
}

extension Request {
    /// Carries `operation` out, and cancels it when the other end goes away. The connection ends with the answer, also with
    /// that of a failure.
    func whileConnected(_ operation: () async throws -> Response) async throws -> Response {
        do {
            var response = try await body.consumeWithCancellationOnInboundClose { _ in try await operation() }
            response.headers[.connection] = "close"
            return response
        } catch let error as CancellationError {
            throw error
        } catch {
            throw FailedWhileConnected(cause: error)
        }
    }
}

/// What went wrong with a request whose connection ends with the answer: who sent it must not send another one there.
struct FailedWhileConnected: Error {
    let cause: any Error
}
