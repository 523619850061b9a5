internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// What a request is answered with.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: ResponseBody

    init(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    static func html(_ text: String, _ status: HTTPResponse.Status = .ok) -> Answer {
        Answer(
            status, [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Words for who can't be shown a page.
    static func plain(_ text: String, _ status: HTTPResponse.Status) -> Answer {
        Answer(
            status, [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    /// Leads the browser to another page, with GET.
    static func see(_ path: String) -> Answer { Answer(.seeOther, [.location: path, .cacheControl: "no-store"]) }

    /// The head with what every answer of the page says.
    var head: HTTPResponse {
        var head = HTTPResponse(status: status, headerFields: fields)
        for field in Answer.manners { head.headerFields[field.name] = field.value }
        if let length = body.contentLength { head.headerFields[.contentLength] = String(length) }
        return head
    }

    /// What browsers must not do with the page, or let others do.
    private static let manners: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy:
                "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
            .xContentTypeOptions: "nosniff",
        ]
        let others = [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ]
        for (name, value) in others { if let name = HTTPField.Name(name) { fields[name] = value } }
        return fields
    }()
}
