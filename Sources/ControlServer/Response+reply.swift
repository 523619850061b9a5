internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Response {
    /// `reply` as JSON, with a line end so that it looks right in a terminal.
    static func reply(_ reply: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        json(try ControlJSON.text(reply), status)
    }

    /// A page of records as JSON, likewise.
    static func reply(_ page: RecordPage) -> Response { json(page.text, .ok) }

    private static func json(_ text: some Sequence<UInt8>, _ status: HTTPResponse.Status) -> Response {
        var body = ByteBuffer(bytes: text)
        body.writeString("\n")
        return Response(
            status: status, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body)
        )
    }

    /// The error with the status it carries.
    static func reply(_ error: ControlError) throws -> Response {
        try reply(error, status: HTTPResponse.Status(code: error.status))
    }
}
