internal import DatabaseTree
internal import HTTPListening
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The body of a request, which counts as long as it is not answered, and can be let go before.
struct Body: Sendable {
    /// In bytes.
    let count: Int
    let text: TakeOnce<ByteBuffer>
    private let share: BodyShare

    init(_ text: ByteBuffer, _ share: BodyShare) {
        count = text.readableBytes
        self.text = TakeOnce(text)
        self.share = share
    }

    /// The text the first time, nothing after that.
    func take() -> ByteBuffer { text.take() ?? ByteBuffer() }
}

/// A body is refused before it was read to its end, so that its connection can't go on.
struct UnreadBody: Error {
    let refusal: Refusal
}

extension Responder {
    /// The most bytes that are asked of memory before they have come.
    private static let reserved = 64 * 1024 * 1024

    /// How much of a body is taken.
    struct Allowance: Sendable {
        /// Whether nobody vouches for its sender, where rules hold.
        let isAnonymous: Bool
        /// In bytes.
        let limit: Int
        /// How many are to come, where the head says so.
        let length: Int?
        /// What a longer one is told.
        var tooLong: UnreadBody { UnreadBody(refusal: isAnonymous ? .tooLong : .writeTooBig) }
    }

    /// Throws ``UnreadBody`` where the head says already that the body is not taken.
    func allowance(for rawRequest: Request, _ request: RestRequest) throws(UnreadBody) -> Allowance {
        let isAnonymous = request.principal.isNobody && rulesStore.rules(request.database) != nil
        let allowance = Allowance(
            isAnonymous: isAnonymous, limit: isAnonymous ? anonymousBody : options.maxBody,
            length: rawRequest.headers.bodyLength)
        if let coding = rawRequest.headers[.contentEncoding], coding.lowercased() != "identity" {
            throw UnreadBody(
                refusal: Refusal(
                    415, "Content-Encoding \(coding.prefix(40)) is not supported: send the body as it is"))
        }
        if let coding = rawRequest.headers[.transferEncoding], coding.lowercased() != "chunked" {
            throw UnreadBody(
                refusal: Refusal(
                    501, "Transfer-Encoding \(coding.prefix(40)) is not supported: send the body in chunks, or whole"))
        }
        if let length = allowance.length, length > allowance.limit { throw allowance.tooLong }
        return allowance
    }

    /// The whole body of `rawRequest`. Throws ``UnreadBody``.
    ///
    /// - Parameter channel: where it comes from.
    func body(_ rawRequest: Request, of request: RestRequest, from channel: any Channel) async throws -> Body {
        let allowance = try allowance(for: rawRequest, request)
        let sender: BodyBudget.Sender =
            allowance.isAnonymous ? .nobody(RemoteNetwork(channel.remoteAddress)) : .somebody
        let share = BodyShare(of: bodies, for: sender)
        let length = allowance.length
        var text = ByteBuffer()
        for try await chunk in rawRequest.body {
            var chunk = chunk
            guard text.readableBytes + chunk.readableBytes <= allowance.limit else { throw allowance.tooLong }
            guard share.take(chunk.readableBytes) else { throw UnreadBody(refusal: .busy) }
            if text.readableBytes == 0, length == chunk.readableBytes {
                text = chunk
            } else {
                // Made once in its full size, a buffer takes no more than what has come.
                if text.capacity == 0, let length { text.reserveCapacity(min(length, Responder.reserved)) }
                text.writeBuffer(&chunk)
            }
        }
        return Body(text, share)
    }
}
