internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import JSONText
internal import NIOCore
internal import SyncModel

/// An answer with everything but the headers that all answers have.
struct Reply: Sendable {
    enum Body: Sendable {
        case none
        case text([UInt8])
        /// Written piece by piece.
        case node(Node, NodeEncoder.Form)
    }

    var status: HTTPResponse.Status
    var body: Body
    var etag: ETag?
    var download: String?
    /// The function that a script has asked to be called with the body.
    var callback: String?
    var isPretty = false
    /// Whether the body is left out that the head tells of.
    var isHead = false
    /// Who sends the body, and packs it.
    var loop: (any EventLoop)?
    var isPacked = false
    /// Headers that only this answer has.
    var fields = HTTPFields()

    init(_ status: HTTPResponse.Status, _ body: Body, etag: ETag? = nil) {
        self.status = status
        self.body = body
        self.etag = etag
    }

    /// What is stored, or `null`.
    init(_ node: Node?, _ form: NodeEncoder.Form, status: HTTPResponse.Status = .ok, etag: ETag? = nil) {
        self.init(status, .null, etag: etag)
        if let node { body = Body(node, form) }
    }

    init(_ status: HTTPResponse.Status, json: JSONValue) {
        self.init(status, .text(Array(JSONWriter.string(json).utf8)))
    }

    init(_ refusal: Refusal) {
        let status = HTTPResponse.Status(code: refusal.status)
        self.init(status, .text(JSONWriter.text(["error": .string(refusal.message)])))
    }
}

extension Reply.Body {
    static let null = Reply.Body.text(Array("null".utf8))

    init(_ node: Node, _ form: NodeEncoder.Form) {
        if case .packed = node { self = .text(node.text(form)) } else { self = .node(node, form) }
    }
}

extension Reply {
    /// What a body begins and ends with where it is no plain JSON.
    ///
    /// The comment before a callback keeps the answer from being taken for anything but a script.
    var frame: (opening: [UInt8], end: [UInt8]) {
        let end = isPretty ? PrettyPrinter.end : []
        guard let callback else { return ([], end) }
        return (Array("/**/\(callback)(".utf8), end + Array(");".utf8))
    }

    private static let json = HTTPField(name: .contentType, value: "application/json; charset=utf-8")
    private static let script = HTTPField(name: .contentType, value: "application/javascript; charset=utf-8")

    var contentType: HTTPField { callback == nil ? Reply.json : Reply.script }

    /// The value of `Content-Disposition` (RFC 6266): a plain name for old clients, the whole one for all others.
    var disposition: String? {
        guard let name = download, status == .ok else { return nil }
        guard !name.isEmpty else { return "attachment" }
        let isPlain = { (byte: UInt8) in byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C && byte != 0x2F }
        let plain = String(
            decoding: name.unicodeScalars.map { scalar in
                scalar.isASCII && isPlain(UInt8(ascii: scalar)) ? UInt8(ascii: scalar) : UInt8(ascii: "_")
            },
            as: UTF8.self
        )
        if plain == name { return "attachment; filename=\"\(plain)\"" }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encoded(name))"
    }
}
