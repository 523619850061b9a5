internal import ControlAPI
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import SyncModel

/// Answers browsers: looks who they are first, and shows them pages then.
struct Responder: Sendable {
    let settings: LiveSettings
    let daemon: DaemonServices
    let doorkeeper: Doorkeeper
    let frame: Frame
    let desk: Desk
    let changes: Changes
    let room: LiveRoom
    let pace: @Sendable () async throws -> Void
    let logger: Logger
    let notices = Notices()

    /// The collection that the library is.
    static let movies = "movies"

    private var hosts: HostList { HostList(settings.current.hosts) }

    func respond(_ request: Request, _ writer: consuming ResponseWriter) async throws {
        var answer: Answer
        do {
            answer = try await self.answer(request)
        } catch let error as CancellationError {
            throw error
        } catch let error as ControlError {
            answer = await refusal(error)
        } catch {
            logger.error(
                "A page failed",
                metadata: ["event": "web.failed", "path": "\(request.uri.path)", "error": "\(error)"])
            if let error = error as? any ControlErrorConvertible {
                answer = await refusal(error.controlError)
            } else {
                answer = .plain("The daemon could not do this: its log says why.", .internalServerError)
            }
        }
        // What came with a request that was refused may not have been read.
        if request.method != .get, answer.status.code >= 400 { answer.fields[.connection] = "close" }
        try await writer.write(
            response: answer.head, body: request.method == .head ? ResponseBody() : answer.body)
    }

    private func answer(_ request: Request) async throws -> Answer {
        doorkeeper.keep()
        guard let visit = Visit(request) else { return .plain("There is no such page.", .badRequest) }
        guard hosts.contains(visit.authority) else {
            return .plain(
                "This page is not served by that name: the configuration's web.hosts lists the names.", .forbidden)
        }
        guard [.get, .head, .post].contains(visit.method) else {
            return Answer(.methodNotAllowed, [.allow: "GET, HEAD, POST"])
        }
        if visit.method != .post {
            if let asset = Asset.all["/" + visit.path.joined(separator: "/")] { return file(asset, visit) }
            if visit.path == ["login"] { return enter(visit) }
        }
        let isOwn = OriginCheck.allows(
            origin: visit.headers[.origin], authority: visit.authority, site: visit.header("Sec-Fetch-Site"))
        if visit.method == .post, !isOwn {
            return .plain("This was not sent by the page itself, so nothing was done.", .forbidden)
        }
        guard let session = visit.cookie(cookieName).flatMap(doorkeeper.session) else { return stranger() }
        return try await answer(visit, session, request)
    }

    private func answer(_ visit: Visit, _ session: SessionBook.Session, _ request: Request) async throws -> Answer {
        if visit.method == .post { return try await post(visit, session, request) }
        if visit.path == ["live"] { return live(visit, request) }
        if visit.path.count == 2, visit.path[0] == "art" { return try await picture(visit.path[1], visit) }
        if visit.path.count == 3, visit.path[0] == "person", visit.path[2] == "picture" {
            return try await portrait(visit.path[1], visit)
        }
        let sequence = daemon.service.status().lastChange
        let reader = Reader(
            person: session.person, mayChange: !settings.current.readOnly, address: visit.address,
            collections: Set(daemon.service.schemas().map(\.name)))
        // A link on a page of others spends no requests at catalogs.
        let query = visit.path == ["search"] && visit.isFromElsewhere ? Query("") : visit.query
        guard let page = try await desk.page(visit.path, query, reader) else {
            throw ControlError(404, "notFound", "there is no such page")
        }
        guard let part = visit.query["part"] else {
            let notice = visit.method == .get ? notices.take(for: session.hash) : nil
            return .html(await frame.whole(page, sequence: sequence, notice: notice))
        }
        guard let text = await frame.part(part, of: page) else {
            throw ControlError(404, "notFound", "the page has no such part")
        }
        return .html(text)
    }
}

// Who somebody is.
extension Responder {
    /// Of this node alone: cookies know no ports, and two nodes may share a host.
    var cookieName: String { "moviesync-\(daemon.service.status().node)" }

    /// What makes a browser keep the cookie.
    ///
    /// It comes along where somebody follows a link on another site (`Lax`), as one that signs in may be. That is a GET of a
    /// whole page, which shows and changes nothing: what changes something is a POST that ``OriginCheck`` has let in, and a
    /// search that another site asks for is not made. Pictures, streams and frames on pages of others get no cookie.
    func setting(cookie: String, seconds: UInt64) -> String {
        "\(cookieName)=\(cookie); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
    }

    /// A link was followed.
    private func enter(_ visit: Visit) -> Answer {
        guard visit.method == .get, let secret = visit.query["token"] else { return stranger() }
        switch doorkeeper.enter(secret) {
        case .signedIn(let cookie):
            logger.notice("A browser has signed in", metadata: ["event": "web.signedIn"])
            var answer = Answer.see("/")
            let age = SessionBook.lifetime / 1_000
            answer.fields[.setCookie] = setting(cookie: cookie, seconds: age)
            return answer
        case .used:
            return outside(
                .message(
                    "This link was used already",
                    "Each link signs one browser in, once. If that was this one, go on to the library; for another one, "
                        + "run \"moviesync web\" again.", way: ("/", "To the library")), .gone)
        case .tooOld:
            return outside(
                .message(
                    "This link is too old", "A link is good for a minute: run \"moviesync web\" again for a new one."),
                .gone)
        }
    }

    private func stranger() -> Answer {
        outside(
            .message(
                "Please sign in", "Run \"moviesync web\" on this machine, and open the link that it prints."),
            .unauthorized)
    }

    private func outside(_ page: WebPage, _ status: HTTPResponse.Status) -> Answer {
        .html(frame.outside(page), status)
    }

    private func refusal(_ error: ControlError) async -> Answer {
        let title = error.status == 404 ? "Not found" : "This could not be done"
        let words = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
        let page = WebPage.message(title, words, way: ("/", "To the library"))
        return .html(
            await frame.whole(page, sequence: daemon.service.status().lastChange), .init(code: error.status))
    }

    private func file(_ asset: Asset, _ visit: Visit) -> Answer {
        var fields: HTTPFields = [.eTag: asset.tag, .cacheControl: "no-cache"]
        if visit.headers[.ifNoneMatch] == asset.tag { return Answer(.notModified, fields) }
        fields[.contentType] = asset.type
        return Answer(.ok, fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }
}
