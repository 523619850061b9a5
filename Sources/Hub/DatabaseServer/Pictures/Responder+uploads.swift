internal import FoundationEssentials
internal import HTTPTypes
internal import HummingbirdCore
internal import JSONText
internal import SyncModel

/// Uploads in several requests, as apps on phones make them of every picture.
extension Responder {
    /// Begins an upload; the answer says where its bytes are sent.
    func begin(
        _ name: PictureName, by visitor: PictureVisitor, _ call: ObjectCall, _ request: Request, _ body: [UInt8]
    ) throws -> Reply {
        guard let pictures = accounts?.pictures else { throw ObjectRefusal.unknownPlace }
        let members = body.isEmpty ? [:] : try? JSONReader.members(body)
        guard let said = members else { throw ObjectRefusal.badMetadata }
        let id = try pictures.begin(name, by: visitor, said: said)
        var reply = Reply(.ok, .none)
        let scheme = options.tls == nil ? "http" : "https"
        let address = request.head.authority ?? "\(options.host):\(options.port)"
        let (bucket, object) = (PercentEncoding.encoded(call.bucket), PercentEncoding.encoded(name.text))
        let place = "\(scheme)://\(address)/v0/b/\(bucket)/o?name=\(object)&upload_id=\(id)&upload_protocol=resumable"
        set("X-Goog-Upload-URL", place, &reply.fields)
        set("X-Goog-Upload-Status", "active", &reply.fields)
        set("X-Goog-Upload-Chunk-Granularity", "262144", &reply.fields)
        set("X-GUploader-UploadID", id, &reply.fields)
        return reply
    }

    /// Goes on with an upload. Whoever has its address may: it was said to who began it alone.
    func go(on id: String, _ step: UploadStep, _ call: ObjectCall, _ body: [UInt8]) async throws -> Reply {
        guard let pictures = accounts?.pictures else { throw ObjectRefusal.unknownPlace }
        if step.commands.contains(.cancel) {
            try pictures.cancel(id)
            return answer(.ok, .none, status: "cancelled")
        }
        if step.commands.contains(.upload) { try pictures.append(body, at: step.offset, to: id) }
        guard step.commands.contains(.finalize) else {
            var reply = answer(.ok, .none, status: "active")
            set("X-Goog-Upload-Size-Received", "\(try pictures.received(id))", &reply.fields)
            return reply
        }
        let metadata = try await pictures.finish(id)
        let text = JSONWriter.text(metadata.json(in: call.bucket))
        return answer(.ok, .text(text), status: "final")
    }

    private func answer(_ code: HTTPResponse.Status, _ body: Reply.Body, status: String) -> Reply {
        var reply = Reply(code, body)
        set("X-Goog-Upload-Status", status, &reply.fields)
        return reply
    }
}
