internal import ControlAPI
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird

extension Endpoint {
    /// What only root and the daemon's own user may ask for.
    static func changing(_ service: any ControlService) -> [Endpoint] {
        [
            Endpoint(.post, ControlRoute.holds + "/:id/approve", words: ["dryRun"]) { request, context in
                let arguments = RequestArguments(request, context)
                let (id, dryRun) = (try arguments.number(), try arguments.flag("dryRun"))
                return try .reply(try await service.approve(hold: id, dryRun: dryRun))
            },
            Endpoint(.post, ControlRoute.holds + "/:id/reject", words: ["dryRun"]) { request, context in
                let arguments = RequestArguments(request, context)
                let (id, dryRun) = (try arguments.number(), try arguments.flag("dryRun"))
                return try .reply(try await service.reject(hold: id, dryRun: dryRun))
            },
            deciding(ControlRoute.conflicts, "restore") { try await service.restoreConflict($0) },
            Endpoint(.post, ControlRoute.undo, words: ["dryRun"], body: .order(UndoOrder.self)) { request, context in
                var order = try await request.read(UndoOrder.self)
                // As with other orders: who asks for a trial in either way gets one.
                if try RequestArguments(request, context).flag("dryRun") { order.dryRun = true }
                return try .reply(try await service.undo(order))
            },
            Endpoint(.post, ControlRoute.backup) { _, _ in
                let copy = try await service.backup()
                let body = ResponseBody(pieces: copy.size, copy.read)
                return Response(status: .ok, headers: [.contentType: "application/vnd.sqlite3"], body: body)
            },
            Endpoint(.post, ControlRoute.pause, words: ["direction"]) { request, context in
                try await service.pause(try RequestArguments(request, context).direction())
                return try .reply(DoneReply())
            },
            Endpoint(.post, ControlRoute.resume, words: ["direction"]) { request, context in
                try await service.resume(try RequestArguments(request, context).direction())
                return try .reply(DoneReply())
            },
            Endpoint(.post, ControlRoute.reload) { _, _ in try .reply(try await service.reload()) },
            Endpoint(.post, ControlRoute.verify, words: ["repair"]) { request, context in
                let repair = try RequestArguments(request, context).flag("repair")
                return try .reply(try await service.verify(repair: repair))
            },
        ] + quarantine(service)
    }

    /// What is decided about items of the quarantine, one or many.
    private static func quarantine(_ service: any ControlService) -> [Endpoint] {
        [
            deciding(ControlRoute.quarantine, "retry") { try await service.retryQuarantined($0) },
            deciding(ControlRoute.quarantine, "drop") { try await service.dropQuarantined($0) },
            decidingAll(ControlRoute.quarantine, "retry") { try await service.retryQuarantined($0) },
            decidingAll(ControlRoute.quarantine, "drop") { try await service.dropQuarantined($0) },
        ]
    }

    /// The same for plugins.
    static func changing(_ plugins: any PluginService) -> [Endpoint] {
        [
            Endpoint(.post, ControlRoute.plugins + "/:name/restart") { request, context in
                try plugins.restart(plugin: RequestArguments(request, context).part("name"))
                return try .reply(DoneReply())
            }
        ]
    }

    /// A decision about one numbered item of a list.
    private static func deciding(
        _ list: String, _ decision: String, _ carryOut: @escaping @Sendable (Int64) async throws -> Void
    ) -> Endpoint {
        Endpoint(.post, "\(list)/:id/\(decision)") { request, context in
            try await carryOut(try RequestArguments(request, context).number())
            return try .reply(DoneReply())
        }
    }

    /// The same decision about several of them.
    private static func decidingAll(
        _ list: String, _ decision: String, _ carryOut: @escaping @Sendable ([Int64]) async throws -> Void
    ) -> Endpoint {
        Endpoint(.post, "\(list)/\(decision)", body: .order(QuarantineOrder.self)) { request, _ in
            let ids = try await request.read(QuarantineOrder.self).ids
            guard ids.count <= ControlRoute.maxLimit else {
                throw ControlError.badRequest("badBody", "ids are at most \(ControlRoute.maxLimit) numbers")
            }
            try await carryOut(ids)
            return try .reply(DoneReply())
        }
    }
}

extension Request {
    /// The JSON of the body.
    func read<Order: Decodable>(_ type: Order.Type) async throws -> Order {
        let text = try await body.collect(upTo: ControlRoute.maxBody)
        do {
            return try ControlJSON.read(type, from: Data(text.readableBytesView))
        } catch {
            throw ControlError.badRequest("badBody", BodyFault(error).words)
        }
    }
}

/// Which key of a body is wrong, and how.
private struct BodyFault {
    let words: String

    init(_ error: any Error) {
        let documented = "the documentation has its keys"
        var words = "the body is no JSON of this order: \(documented)"
        switch error as? DecodingError {
        case .keyNotFound(let key, _): words = "the body lacks '\(key.stringValue)': \(documented)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            guard let key = context.codingPath.first?.stringValue else { break }
            words = "'\(key)' in the body is not what it should be: \(context.debugDescription)"
        default: break
        }
        self.words = words
    }
}
