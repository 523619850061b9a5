internal import DatabaseTree
internal import FoundationEssentials
internal import HTTPListening
internal import HTTPTypes
internal import HummingbirdCore
internal import JSONText
internal import Logging
internal import NIOCore
internal import SyncModel

/// The storage of pictures, on the same port as the database.
extension Responder {
    /// What the request wants of the storage; nil where it wants nothing, or where none is served.
    func objectCall(of head: HTTPRequest) -> ObjectCall? {
        guard accounts != nil, let target = head.path, let (path, parameters) = try? RestRequest.split(target) else {
            return nil
        }
        let method = head.method == .head ? "GET" : head.method.rawValue
        return ObjectCall(
            method: method, path: path, parameters: parameters, step: UploadStep(head.headerFields))
    }

    /// Answers a call; who may not make it is refused before a byte of the body is read.
    func answer(
        _ call: ObjectCall, _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let origin = CrossOrigin(request.head)
        if request.method == .options {
            var reply = Reply(.noContent, .none)
            appendPermissions(request.head, to: &reply.fields)
            return try await send(shown(reply, request), writer, for: origin)
        }
        var body: [UInt8] = []
        let visitor: PictureVisitor
        do {
            visitor = try await self.visitor(request)
            try check(call, visitor)
            if let limit = call.bodyLimit(request.headers[.contentType]) {
                if let length = request.headers.bodyLength, length > limit { throw ObjectRefusal.tooLarge }
                if request.headers[.expect]?.lowercased() == "100-continue" {
                    try await writer.writeInformationalHead(HTTPResponse(status: .continue))
                }
                body = try await self.body(of: request, limit: limit)
            }
        } catch {
            return try await refuse(shown(refusal(error), request), request, writer, channel, for: origin)
        }
        var reply: Reply
        do {
            reply = try await done(call, visitor, request, body)
        } catch {
            reply = refusal(error)
        }
        try await send(shown(reply, request), writer, for: origin)
    }

    private func refusal(_ error: any Error) -> Reply {
        let refusal: ObjectRefusal
        switch error {
        case let error as ObjectRefusal: refusal = error
        case let error as Refusal: refusal = ObjectRefusal(error.status, error.message)
        default:
            logger.error(
                "A call about pictures has failed", metadata: ["event": "picture.failed", "error": "\(error)"])
            refusal = .failed
        }
        return Reply(HTTPResponse.Status(code: refusal.code), json: refusal.body)
    }

    /// The answer as the page may see it that asked.
    private func shown(_ reply: Reply, _ request: Request) -> Reply {
        var reply = reply
        reply.isHead = request.method == .head
        if let origin = request.headers[.origin] {
            set("Access-Control-Allow-Origin", origin, &reply.fields)
            set("Vary", "Origin", &reply.fields)
            let upload = reply.fields.map(\.name.rawName).filter { $0.lowercased().hasPrefix("x-g") }
            if !upload.isEmpty { set("Access-Control-Expose-Headers", upload.joined(separator: ", "), &reply.fields) }
        }
        return reply
    }

    // MARK: Who calls

    private func visitor(_ request: Request) async throws -> PictureVisitor {
        guard let field = request.headers[.authorization] else { return .nobody }
        let words = field.split(separator: " ", maxSplits: 1)
        guard words.count == 2, ["firebase", "bearer"].contains(words[0].lowercased()) else {
            throw Refusal.unreadableToken
        }
        // Everybody can make a token that an emulator takes, and so can any page in a browser.
        if options.isEmulator, !isLocal(request.head) { throw Refusal.foreignPageAtEmulator }
        let token = words[1].drop { $0 == " " }
        switch try await credentials.identity(of: Credential(token: String(token))).principal {
        case .administrator: return .administrator
        case .client(let auth): return auth.members?["uid"]?.text.map { .person($0) } ?? .nobody
        }
    }

    /// Throws where the call is none, or the visitor may not make it, whatever is there.
    private func check(_ call: ObjectCall, _ visitor: PictureVisitor) throws {
        switch call.action {
        case .upload(let name), .change(let name), .remove(let name):
            _ = try PictureRules.checkWriting(name, by: visitor)
        case .begin(let name, let length):
            _ = try PictureRules.checkWriting(name, by: visitor)
            if let length, length > PictureRules.largest { throw ObjectRefusal.tooLarge }
        case .goOn(let id, _): _ = try accounts?.pictures.received(id)
        case .metadata(let name), .download(let name, token: nil):
            _ = try PictureRules.checkReading(name, by: visitor)
        case .download: break
        case .list: guard visitor != .nobody else { throw ObjectRefusal.denied }
        case .refused(let refusal): throw refusal
        }
    }

    // MARK: What is done

    private func done(
        _ call: ObjectCall, _ visitor: PictureVisitor, _ request: Request, _ body: [UInt8]
    ) async throws -> Reply {
        guard let pictures = accounts?.pictures else { throw ObjectRefusal.unknownPlace }
        switch call.action {
        case .upload(let name):
            let name = try PictureRules.checkWriting(name, by: visitor)
            let (picture, said) = try Responder.parts(of: body, request.headers[.contentType])
            return Reply(.ok, json: try await pictures.store(name, picture, said: said).json(in: call.bucket))
        case .begin(let name, _):
            return try begin(try PictureRules.checkWriting(name, by: visitor), by: visitor, call, request, body)
        case .goOn(let id, let step): return try await go(on: id, step, call, body)
        case .change(let name):
            let name = try PictureRules.checkWriting(name, by: visitor)
            guard let said = try? JSONReader.members(body) else { throw ObjectRefusal.badMetadata }
            return Reply(.ok, json: try await pictures.change(name, said: said).json(in: call.bucket))
        case .remove(let name):
            try await pictures.remove(try PictureRules.checkWriting(name, by: visitor))
            return Reply(.noContent, .none)
        case .metadata(let name):
            let name = try PictureRules.checkReading(name, by: visitor)
            return Reply(.ok, json: try await pictures.metadata(of: name).json(in: call.bucket))
        case .download(let name, let token): return try await download(name, token, visitor, from: pictures)
        case .list(let listing): return Reply(.ok, json: try await pictures.list(listing, in: call.bucket))
        case .refused(let refusal): throw refusal
        }
    }

    private func download(
        _ name: String, _ token: String?, _ visitor: PictureVisitor, from pictures: PictureDesk
    ) async throws -> Reply {
        // Who has no right learns nothing of what is there.
        guard let name = PictureName(name) else { throw ObjectRefusal.denied }
        let found: (PictureMetadata, [UInt8])
        do {
            found = try await pictures.picture(name)
        } catch let refusal as ObjectRefusal where visitor == .nobody && refusal == .notFound {
            throw ObjectRefusal.denied
        }
        let (metadata, bytes) = found
        guard visitor != .nobody || token.map({ AdminSecret(metadata.token).matches($0) }) == true else {
            throw ObjectRefusal.denied
        }
        var reply = Reply(.ok, .text(bytes))
        reply.fields[.contentType] = metadata.type
        reply.fields[.eTag] = "\"\(metadata.etag)\""
        reply.fields[.cacheControl] = "private, max-age=0"
        set("X-Content-Type-Options", "nosniff", &reply.fields)
        return reply
    }

    // MARK: Bodies

    /// The picture of an upload, and what is said of it.
    private static func parts(of body: [UInt8], _ type: String?) throws -> ([UInt8], [String: JSONValue]) {
        guard let boundary = TwoParts.boundary(in: type) else { return (body, [:]) }
        guard let parts = TwoParts(body, boundary: boundary) else { throw ObjectRefusal.noParts }
        guard let said = try? JSONReader.members(parts.json) else { throw ObjectRefusal.badMetadata }
        return (Array(parts.content), said)
    }

    private func body(of request: Request, limit: Int) async throws -> [UInt8] {
        let share = BodyShare(of: bodies, for: .somebody)
        var bytes: [UInt8] = []
        do {
            for try await chunk in request.body {
                guard share.take(chunk.readableBytes) else { throw ObjectRefusal.busy }
                guard bytes.count + chunk.readableBytes <= limit else { throw ObjectRefusal.tooLarge }
                bytes += chunk.readableBytesView
            }
        } catch  where !(error is ObjectRefusal) {
            throw Refusal.cutBody
        }
        return bytes
    }
}

extension ObjectCall {
    /// The most bytes of what is said of a picture.
    private static let envelope = 64 << 10

    /// The most bytes of the body; nil where none is wanted.
    fileprivate func bodyLimit(_ type: String?) -> Int? {
        switch action {
        case .upload: PictureRules.largest + (TwoParts.boundary(in: type) == nil ? 0 : ObjectCall.envelope)
        case .goOn: PictureRules.largest
        case .begin, .change: ObjectCall.envelope
        default: nil
        }
    }
}
