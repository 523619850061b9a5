internal import ControlAPI
internal import Hummingbird

extension Endpoint {
    /// What hooks did not take.
    static func reading(_ hooks: any HookService) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.hookEvents) { request, context in
                let hook = RequestArguments(request, context).query("hook")
                return try .reply(Page(items: try await hooks.refusedEvents(of: hook)))
            }
        ]
    }

    /// What only root and the daemon's own user may ask of hooks.
    static func changing(_ hooks: any HookService) -> [Endpoint] {
        [
            Endpoint(.post, ControlRoute.hooks + "/:name/retry", words: ["seq"]) { request, context in
                let arguments = RequestArguments(request, context)
                return try .reply(try await hooks.retry(hook: arguments.part("name"), try arguments.sequences()))
            },
            Endpoint(.post, ControlRoute.hooks + "/:name/drop", words: ["seq"]) { request, context in
                let arguments = RequestArguments(request, context)
                guard let sequences = try arguments.sequences() else {
                    throw ControlError.badRequest("badSeq", "seq names the events to give up, such as seq=7,8")
                }
                return try .reply(try await hooks.drop(hook: arguments.part("name"), sequences))
            },
        ]
    }
}

extension RequestArguments {
    /// The numbers of `seq`; nil where the query does not say.
    fileprivate func sequences() throws -> [Int64]? {
        guard let text = query("seq") else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == parts.count else {
            throw ControlError.badRequest("badSeq", "seq is a list of numbers of events, such as 7,8")
        }
        return numbers
    }
}
