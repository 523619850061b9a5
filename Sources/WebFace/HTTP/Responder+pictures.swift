internal import ControlAPI
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

extension Responder {
    /// A picture from the daemon's own cache, which fetches it where it has to.
    func picture(_ key: String, _ visit: Visit) async throws -> Answer {
        let width = visit.query["width"].flatMap { Int($0) } ?? ControlRoute.defaultWidth
        guard (1...Responder.widest).contains(width) else {
            throw ControlError.badRequest("badWidth", "a picture is 1 to \(Responder.widest) pixels wide")
        }
        let picture = try await daemon.artwork.picture(key, width: width)
        var fields: HTTPFields = [.eTag: picture.tag, .cacheControl: "private, max-age=86400"]
        if visit.headers[.ifNoneMatch] == picture.tag { return Answer(.notModified, fields) }
        fields[.contentType] = picture.type
        let body = ResponseBody(contentLength: picture.size) { writer in
            var offset = 0
            while offset < picture.size {
                let bytes = try picture.read(UInt64(offset), min(Responder.piece, picture.size - offset))
                guard !bytes.isEmpty else { break }
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += bytes.count
            }
            try await writer.finish(nil)
        }
        return Answer(.ok, fields, body: body)
    }

    private static let (widest, piece) = (1024, 64 << 10)
}
