internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Response {
    /// An event stream that carries each element as it comes, and goes on until either side ends it.
    ///
    /// - Parameters:
    ///   - id: what an event is told by when a reader comes back.
    ///   - beginning: what is sent before the first event.
    static func eventStream<Element: Encodable & Sendable, ID: Sendable>(
        _ elements: AsyncStream<Element>, of request: Request, id: @escaping @Sendable (Element) -> ID,
        beginning: String = ""
    ) -> Response {
        let body = ResponseBody { writer in
            if !beginning.isEmpty { try await writer.write(ByteBuffer(string: beginning)) }
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for await element in elements {
                    var event = ByteBuffer(string: "id: \(id(element))\ndata: ")
                    event.writeBytes(try ControlJSON.text(element))
                    event.writeString("\n\n")
                    try await writer.write(event)
                }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: ControlRoute.eventStream, .cacheControl: "no-store", .connection: "close"],
            body: body
        )
    }
}
