internal import ControlAPI
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import SyncModel

extension Responder {
    /// A picture from the daemon's own cache, which fetches it where it has to.
    func picture(_ key: String, _ visit: Visit) async throws -> Answer {
        answer(try await daemon.artwork.picture(key, width: try width(visit)), visit, "private, max-age=86400")
    }

    /// The picture of a person; where none can be had, the first letter of what the person is called.
    func portrait(_ person: String, _ visit: Visit) async throws -> Answer {
        let width = try width(visit)
        let profile = try await daemon.service.profile(of: person)
        // The same address shows the next picture, too.
        let manner = "private, no-cache"
        if let address = profile?.fields["photo"]?.text,
            let picture = try? await daemon.artwork.portrait(address, width: width)
        {
            return answer(picture, visit, manner)
        }
        let letter = Initial(of: profile?.fields["name"]?.text ?? visit.query["name"] ?? person)
        var fields: HTTPFields = [.eTag: letter.tag, .cacheControl: manner]
        if visit.headers[.ifNoneMatch] == letter.tag { return Answer(.notModified, fields) }
        fields[.contentType] = "image/svg+xml"
        return Answer(.ok, fields, body: ResponseBody(byteBuffer: ByteBuffer(string: letter.svg)))
    }

    private func width(_ visit: Visit) throws -> Int {
        let width = visit.query["width"].flatMap { Int($0) } ?? ControlRoute.defaultWidth
        guard (1...Responder.widest).contains(width) else {
            throw ControlError.badRequest("badWidth", "a picture is 1 to \(Responder.widest) pixels wide")
        }
        return width
    }

    /// - Parameter manner: how long a browser may keep it.
    private func answer(_ picture: ArtworkReply, _ visit: Visit, _ manner: String) -> Answer {
        var fields: HTTPFields = [.eTag: picture.tag, .cacheControl: manner]
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
