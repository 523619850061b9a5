internal import Accounts
internal import DatabaseTree
internal import FoundationEssentials
internal import GRDB
internal import HTTPListening
internal import HTTPTypes
internal import HummingbirdCore
internal import JSONText
internal import Logging
internal import NIOCore
internal import SyncModel

/// The calls about accounts, on the same port as the database.
extension Responder {
    /// The most bytes of a call: of anybody, and of an administrator who brings a thousand accounts.
    private static let callSize = (anybody: 64 << 10, administrator: 16 << 20)

    /// What the request wants of the accounts; nil where it wants none, or where none are served.
    func accountRoute(of head: HTTPRequest) -> AccountRoute? {
        guard accounts != nil, head.path != nil else { return nil }
        let path = head.pathAlone
        let asked = head.method == .options ? wantedMethod(head) : head.method.rawValue
        let route = AccountRoute(method: asked == "HEAD" ? "GET" : asked, path: path)
        guard route != nil, !options.isEmulator else { return route }
        if path == "/" { return nil }
        return path.utf8.starts(with: "/emulator/".utf8) ? .unknown : route
    }

    /// The method that a web page asks to be allowed.
    private func wantedMethod(_ head: HTTPRequest) -> String {
        HTTPField.Name("Access-Control-Request-Method").flatMap { head.headerFields[$0] } ?? "POST"
    }

    /// Answers a call.
    func answer(
        _ route: AccountRoute, _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let origin = CrossOrigin(request.head)
        guard !options.isEmulator || isPageOfThisMachine(request.head) else {
            let refusal = AccountRefusal(Refusal.foreignPageAtEmulator.message, code: 403)
            return try await send(Reply(.forbidden, json: refusal.body), writer, for: origin)
        }
        try await send(await answer(route, request, channel), writer, for: origin)
    }

    /// The answer to a call; a refusal is one too.
    private func answer(_ route: AccountRoute, _ request: Request, _ channel: any Channel) async -> Reply {
        var reply: Reply
        if request.method == .options {
            reply = Reply(.noContent, .none)
            appendPermissions(request.head, to: &reply.fields)
        } else {
            do {
                reply = try await done(route, request, channel)
            } catch let refusal as AccountRefusal {
                reply = Reply(HTTPResponse.Status(code: refusal.code), json: refusal.body)
            } catch let refusal as Refusal {
                let refusal = AccountRefusal(refusal.message, code: refusal.status)
                reply = Reply(HTTPResponse.Status(code: refusal.code), json: refusal.body)
            } catch {
                logger.error(
                    "A call about accounts has failed",
                    metadata: [
                        "event": "account.failed", "reason": "\(CommitTrouble.reason(of: error))", "error": "\(error)",
                    ])
                let words = (error as? DatabaseError).map { StorageError($0).message }
                let refusal = words.map { AccountRefusal.failed($0) } ?? .failed
                reply = Reply(.internalServerError, json: refusal.body)
            }
            reply.isHead = request.method == .head
        }
        if let origin = request.headers[.origin] {
            set("Access-Control-Allow-Origin", origin, &reply.fields)
            set("Vary", "Origin", &reply.fields)
        }
        return reply
    }

    private func done(_ route: AccountRoute, _ request: Request, _ channel: any Channel) async throws -> Reply {
        guard let accounts else { throw AccountRefusal.notFound }
        switch route {
        case .unknown: throw AccountRefusal.notFound
        case .keySet: return cached(.object(try accounts.keys.keySet(now: accounts.now())))
        case .certificates: return cached(.object(try accounts.keys.certificates(now: accounts.now())))
        case .emulator(let what, let project): return try await emulated(what, project, request, channel)
        case .call(let call, let project):
            let parameters = try RestRequest.split(request.head.path ?? "/").parameters
            let isAdministrator = try await isAdministrator(request, parameters)
            try check(call, project, isAdministrator, request, parameters)
            let body = try await self.body(of: request, call, parameters, isAdministrator)
            let sender = AccountDesk.Sender(
                isAdministrator: isAdministrator, address: channel.remoteAddress?.ipAddress)
            if let project { accounts.adopt(project) }
            if call == .clear { accounts.codes.clear() }
            return Reply(
                .ok,
                json: .object(try await accounts.answer(call, body, from: sender, linkBase: linkBase(request.head))))
        }
    }

    /// So long may clients keep the keys: half of the time for which a key is good after another took its place.
    private func cached(_ keys: JSONValue) -> Reply {
        var reply = Reply(.ok, json: keys)
        reply.fields[.cacheControl] = "public, max-age=3600, must-revalidate"
        return reply
    }

    // MARK: Who calls

    /// Whether the credential is an administrator's. Throws where there is one that is not.
    private func isAdministrator(_ request: Request, _ parameters: [(name: String, value: String)]) async throws -> Bool
    {
        if options.isEmulator, request.head.path?.utf8.starts(with: "/emulator/".utf8) == true {
            // Tests clear what they have made without any credential.
            guard isLocal(request.head) else { throw Refusal.foreignPageAtEmulator }
            return true
        }
        guard let field = request.headers[.authorization], field.lowercased().hasPrefix("bearer ") else { return false }
        let token = String(field.dropFirst(7).drop { $0 == " " })
        if options.isEmulator, token.lowercased() == "owner" {
            // Everybody knows this token, and so does any page in a browser.
            guard isLocal(request.head) else { throw Refusal.foreignPageAtEmulator }
            return true
        }
        guard credentials.knowSecret(Credential(token: token)) else { throw AccountRefusal.unauthenticated }
        return true
    }

    /// Whether the request comes from no web page, or one of this machine's own.
    func isLocal(_ head: HTTPRequest) -> Bool {
        hosts.contain(head.authority) && isPageOfThisMachine(head)
    }

    /// The same, by whatever name the request calls this machine.
    private func isPageOfThisMachine(_ head: HTTPRequest) -> Bool {
        guard let origin = head.headerFields[.origin] else { return !CrossOrigin(head).isForeign }
        return ["localhost", "127.0.0.1", "[::1]"].contains { host in
            ["http", "https"].contains { origin == "\($0)://\(host)" || origin.hasPrefix("\($0)://\(host):") }
        }
    }

    private func check(
        _ call: AccountCall, _ project: String?, _ isAdministrator: Bool, _ request: Request,
        _ parameters: [(name: String, value: String)]
    ) throws {
        guard !isAdministrator else {
            guard let project, let own = accounts?.project, project != own, !options.isEmulator else { return }
            throw AccountRefusal(
                "Permission denied on resource project \(project).".oneLine, code: 403, status: "PERMISSION_DENIED")
        }
        guard project == nil else { throw AccountRefusal.unauthenticated }
        let header = HTTPField.Name("X-Goog-Api-Key").flatMap { request.headers[$0] }
        guard (parameters.last { $0.name == "key" }?.value ?? header)?.isEmpty == false else {
            throw AccountRefusal.missingKey
        }
    }

    // MARK: Bodies

    private func body(
        of request: Request, _ call: AccountCall, _ parameters: [(name: String, value: String)], _ isAdministrator: Bool
    ) async throws -> AccountBody {
        guard request.method != .get, request.method != .head else { return Responder.body(parameters) }
        let limit = isAdministrator ? Responder.callSize.administrator : Responder.callSize.anybody
        if let length = request.headers.bodyLength, length > limit {
            throw AccountRefusal.tooLarge
        }
        var text = ByteBuffer()
        do {
            for try await var chunk in request.body {
                guard text.readableBytes + chunk.readableBytes <= limit else { throw AccountRefusal.tooLarge }
                text.writeBuffer(&chunk)
            }
        } catch  where !(error is AccountRefusal) {
            throw Refusal.cutBody
        }
        let bytes = Array(text.readableBytesView)
        guard bytes.contains(where: { !Array(" \t\r\n".utf8).contains($0) }) else { return AccountBody() }
        let isForm = request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
        if isForm, bytes.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") {
            let form = try RestRequest.split("?" + String(decoding: bytes, as: UTF8.self)).parameters
            return Responder.body(form)
        }
        guard let members = try? JSONReader.members(bytes) else { throw AccountRefusal.invalidJSON }
        return AccountBody(members)
    }

    private static func body(_ parameters: [(name: String, value: String)]) -> AccountBody {
        AccountBody(Dictionary(parameters.map { ($0.name, .string($0.value)) }) { _, last in last })
    }

    // MARK: Emulators

    private func emulated(
        _ what: AccountRoute.Emulated, _ project: String?, _ request: Request, _ channel: any Channel
    ) async throws -> Reply {
        guard let accounts else { throw AccountRefusal.notFound }
        switch what {
        case .ready:
            return Reply(
                .ok, json: ["authEmulator": ["ready": true, "docs": "https://firebase.google.com/docs/emulator-suite"]])
        case .verificationCodes: return Reply(.ok, json: ["verificationCodes": []])
        case .sentCodes:
            guard isLocal(request.head) else { throw Refusal.foreignPageAtEmulator }
            let codes = accounts.codes.sent.map { code -> JSONValue in
                [
                    "email": .string(code.email), "oobCode": .string(code.code), "oobLink": .string(code.link),
                    "requestType": .string(code.request.rawValue),
                ]
            }
            return Reply(.ok, json: ["oobCodes": .array(codes)])
        case .action: return try await follow(request, channel)
        }
    }

    /// Does what the link says that was sent with a code.
    private func follow(_ request: Request, _ channel: any Channel) async throws -> Reply {
        guard let accounts else { throw AccountRefusal.notFound }
        let parameters = try RestRequest.split(request.head.path ?? "/").parameters
        var members: [String: JSONValue] = [:]
        for (name, value) in parameters where ["oobCode", "newPassword"].contains(name) {
            members[name] = .string(value)
        }
        let isReset = parameters.contains { $0.name == "mode" && $0.value == "resetPassword" }
        let sender = AccountDesk.Sender(isAdministrator: false, address: channel.remoteAddress?.ipAddress)
        let answer = try await accounts.answer(
            isReset ? .resetPassword : .update, AccountBody(members), from: sender, linkBase: linkBase(request.head))
        return Reply(.ok, json: ["authEmulator": ["success": "Done", "email": answer["email"] ?? .null]])
    }

    // MARK: Web pages

    /// Where links of codes lead to. A stranger must not choose the host of a link that others get; at an emulator all
    /// are friends.
    private func linkBase(_ head: HTTPRequest) -> String {
        let scheme = options.tls == nil ? "http" : "https"
        if options.isEmulator, let host = head.authority, !host.isEmpty { return "\(scheme)://\(host)/emulator/action" }
        let name = options.names.min() ?? (options.host.contains(":") ? "[\(options.host)]" : options.host)
        return "\(scheme)://\(name):\(options.port)/__/auth/action"
    }

    func appendPermissions(_ head: HTTPRequest, to fields: inout HTTPFields) {
        set("Access-Control-Allow-Methods", "GET, PATCH, POST, DELETE, OPTIONS", &fields)
        set("Access-Control-Max-Age", "3600", &fields)
        func asked(_ name: String) -> String? { HTTPField.Name(name).flatMap { head.headerFields[$0] } }
        if let wanted = asked("Access-Control-Request-Headers") {
            set("Access-Control-Allow-Headers", wanted, &fields)
        }
        // Pages of the public net ask that before they talk to a machine at home.
        if asked("Access-Control-Request-Private-Network") != nil {
            set("Access-Control-Allow-Private-Network", "true", &fields)
        }
    }

    func set(_ name: String, _ value: String, _ fields: inout HTTPFields) {
        if let name = HTTPField.Name(name) { fields[name] = value }
    }
}
