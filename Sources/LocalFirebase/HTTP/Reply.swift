internal import HTTPTypes
internal import JSONText
internal import NIOCore
internal import RTDBWire
internal import SyncModel

/// An answer with everything but the headers that all answers have.
struct Reply: Sendable {
    enum Body: Sendable {
        case none
        case text([UInt8])
        /// Written piece by piece.
        case node(Node)
    }

    var status: HTTPResponse.Status
    var body: Body
    var etag: ETag?
    var download: String?

    init(_ status: HTTPResponse.Status, _ body: Body, etag: ETag? = nil) {
        self.status = status
        self.body = body
        self.etag = etag
    }

    /// What is stored, or `null`.
    init(_ node: Node?, status: HTTPResponse.Status = .ok, etag: ETag? = nil) {
        self.init(status, node.map(Body.init) ?? .text(Array("null".utf8)), etag: etag)
    }

    init(_ refusal: WireRefusal) {
        let status = HTTPResponse.Status(code: refusal.status)
        self.init(status, .text(JSONWriter.text(["error": .string(refusal.message)])))
    }
}

extension Reply.Body {
    init(_ node: Node) {
        if case .packed(_, let text) = node { self = .text(text) } else { self = .node(node) }
    }
}
