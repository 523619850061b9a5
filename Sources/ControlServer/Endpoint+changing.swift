internal import ControlAPI
internal import Hummingbird

extension Endpoint {
    /// What only root and the daemon's own user may ask for.
    static func changing(_ service: any ControlService) -> [Endpoint] {
        [
            deciding(ControlRoute.holds, "approve") { try await service.approve(hold: $0) },
            deciding(ControlRoute.holds, "reject") { try await service.reject(hold: $0) },
            deciding(ControlRoute.quarantine, "retry") { try await service.retryQuarantined($0) },
            deciding(ControlRoute.quarantine, "drop") { try await service.dropQuarantined($0) },
            deciding(ControlRoute.conflicts, "restore") { try await service.restoreConflict($0) },
            Endpoint(.post, ControlRoute.pause) { request, context in
                try await service.pause(try RequestArguments(request, context).direction())
                return try .reply(DoneReply())
            },
            Endpoint(.post, ControlRoute.resume) { request, context in
                try await service.resume(try RequestArguments(request, context).direction())
                return try .reply(DoneReply())
            },
            Endpoint(.post, ControlRoute.reload) { _, _ in try .reply(try await service.reload()) },
            Endpoint(.post, ControlRoute.verify) { _, _ in
                try await service.verify()
                return try .reply(DoneReply())
            },
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
}
