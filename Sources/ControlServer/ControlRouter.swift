internal import ControlAPI
internal import HTTPListening
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// All endpoints of the control socket, with the same treatment of errors, sizes and permissions.
struct ControlRouter {
    private let endpoints: [Endpoint]
    private let errors: ErrorAnswers

    init(
        service: any ControlService, plugins: any PluginService, hooks: any HookService,
        catalogs: any CatalogService, artwork: any ArtworkService, web: any WebService, people: any PeopleService,
        allowedUIDs: Set<UInt32>,
        logger: Logger
    ) {
        let permission = Permission(allowedUIDs: allowedUIDs, logger: logger)
        endpoints =
            Endpoint.watching(
                DaemonView(service: service, plugins: plugins, hooks: hooks, catalogs: catalogs, web: web))
            + Endpoint.reading(service)
            + Endpoint.explaining(service) + Endpoint.waiting(service) + Endpoint.people(service, artwork)
            + Endpoint.sessions(people, allowed: allowedUIDs)
            + Endpoint.catalogs(catalogs, marks: PeopleMarks(service: service)) + Endpoint.pictures(artwork)
            + Endpoint.reading(hooks)
            + (Endpoint.changing(service) + Endpoint.changing(plugins) + Endpoint.changing(hooks)
            + Endpoint.opening(web))
            .map { permission.required(for: $0) }
            + Endpoint.changing(artwork).map { permission.required(for: $0, orOf: people) }
        errors = ErrorAnswers(endpoints: endpoints, logger: logger)
    }

    func responder() -> RouterResponder<ControlContext> {
        let router = Router(context: ControlContext.self)
        router.add(middleware: errors)
        for endpoint in endpoints {
            router.on(RouterPath(endpoint.path), method: endpoint.method, use: endpoint.answer)
        }
        return router.buildResponder()
    }
}

/// Lets only some users change something.
private struct Permission: Sendable {
    let allowedUIDs: Set<UInt32>
    let logger: Logger

    /// - Parameter people: where given, whoever is signed in as the person of the path (`uid`) may do it, too.
    func required(for endpoint: Endpoint, orOf people: (any PeopleService)? = nil) -> Endpoint {
        var guarded = endpoint
        guarded.answer = { request, context in
            let isOwn = people.map { people in
                { (user: UInt32) in
                    let session = people.person(of: user)
                    return session.state == .signedIn && session.uid == RequestArguments(request, context).part("uid")
                }
            }
            guard let user = await context.user(), allowedUIDs.contains(user) || isOwn?(user) == true else {
                throw ControlError(
                    403, "notAllowed", "only root and the daemon's own user may change this: try again with sudo"
                )
            }
            let response = try await endpoint.answer(request, context)
            guard try await !Permission.onlyLooks(request, context, endpoint.path) else { return response }
            logger.notice(
                "A person changed something",
                metadata: ["event": "control.changed", "path": "\(request.uri.path)", "user": "\(user)"]
            )
            return response
        }
        return guarded
    }

    /// Whether the request changes nothing, though what it asks for may be seen by the same people only.
    private static func onlyLooks(
        _ request: Request, _ context: ControlContext, _ path: String
    ) async throws -> Bool {
        let arguments = RequestArguments(request, context)
        if path == ControlRoute.verify { return try !arguments.flag("repair") }
        if path == ControlRoute.undo, try await request.read(UndoOrder.self).dryRun == true { return true }
        return try arguments.flag("dryRun")
    }
}

/// Turns whatever is thrown into an answer, and refuses bodies that are too large.
private struct ErrorAnswers: RouterMiddleware {
    let endpoints: [Endpoint]
    let logger: Logger

    func handle(
        _ request: Request, context: ControlContext, next: (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(try await checkedBody(of: request), context)
        } catch let error as CancellationError {
            throw error
        } catch {
            let failed = error as? FailedWhileConnected
            let error = controlError(for: failed?.cause ?? error, request)
            var response = try Response.reply(error)
            if failed != nil { response.headers[.connection] = "close" }
            if error.status == 405 { response.headers[.allow] = methods(of: request).joined(separator: ", ") }
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    /// The request with its body at hand, where it has one that is not too large.
    private func checkedBody(of request: Request) async throws -> Request {
        let limit = maxBody(of: request)
        if let length = request.headers.bodyLength, length > limit {
            throw NIOTooManyBytesError(maxBytes: limit)
        }
        // Who waits listens to the connection from the body on. Once the body's end has been taken away, Hummingbird
        // ends the process when the other end closes meanwhile.
        guard [.post, .delete].contains(request.method), request.uri.queryParameters.get("wait") == nil else {
            return request
        }
        var request = request
        do {
            _ = try await request.collectBody(upTo: limit)
        } catch let error where !(error is NIOTooManyBytesError || error is CancellationError) {
            throw ControlError.badRequest("badBody", "the body is cut short, or not in the form that its headers say")
        }
        return request
    }

    private func controlError(for error: any Error, _ request: Request) -> ControlError {
        switch error {
        case let error as ControlError: return error
        case let error as any ControlErrorConvertible:
            note(error, request)
            return error.controlError
        case is NIOTooManyBytesError:
            return ControlError(413, "tooLarge", "a request of this kind has at most \(maxBody(of: request)) bytes")
        case let error as any HTTPResponseError where error.status == .notFound: return unknown(request)
        default:
            note(error, request)
            return ControlError(500, "internal", "the daemon could not do this: its log says why")
        }
    }

    private func note(_ error: any Error, _ request: Request) {
        logger.error(
            "A control request failed",
            metadata: ["event": "control.failed", "path": "\(request.uri.path)", "error": "\(error)"])
    }

    private func unknown(_ request: Request) -> ControlError {
        let methods = methods(of: request)
        guard !methods.isEmpty else {
            return ControlError(404, "unknownRoute", "there is nothing at \(request.uri.path)")
        }
        let allowed = methods.joined(separator: " or ")
        return ControlError(405, "wrongMethod", "\(request.uri.path) takes \(allowed), not \(request.method.rawValue)")
    }

    private func maxBody(of request: Request) -> Int {
        let endpoint = endpoints.first { $0.method == request.method && $0.covers(request.uri.path) }
        return endpoint?.maxBody ?? ControlRoute.maxBody
    }

    /// The methods that the path of `request` takes; none where nothing is there.
    private func methods(of request: Request) -> [String] {
        endpoints.filter { $0.covers(request.uri.path) }.map(\.method.rawValue)
    }
}
