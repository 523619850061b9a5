internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird

extension Endpoint {
    /// Pictures, for everybody who can connect.
    static func pictures(_ service: any ArtworkService) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.art + "/:key") { request, context in
                let arguments = RequestArguments(request, context)
                let (key, width) = (arguments.part("key"), try arguments.width())
                let picture = try await request.whileConnected {
                    Response.picture(try await service.picture(key, width: width), asked: request.headers[.ifNoneMatch])
                }
                return picture
            }
        ]
    }
}

extension Response {
    /// - Parameter tag: what the client has already.
    static func picture(
        _ picture: ArtworkReply, asked tag: String?, control: String = "private, max-age=86400"
    ) -> Response {
        var headers: HTTPFields = [.eTag: picture.tag, .cacheControl: control]
        if tag == picture.tag { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = picture.type
        headers[.xContentTypeOptions] = "nosniff"
        let body = ResponseBody(pieces: picture.size, picture.read)
        return Response(status: .ok, headers: headers, body: body)
    }
}

extension RequestArguments {
    /// How wide a picture is wanted.
    func width() throws -> Int {
        guard let text = query("width") else { return ControlRoute.defaultWidth }
        guard let width = Int(text), (1...4096).contains(width) else {
            throw ControlError.badRequest("badWidth", "width is a number of pixels from 1 to 4096")
        }
        return width
    }
}
