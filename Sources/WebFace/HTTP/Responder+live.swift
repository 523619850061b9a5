internal import ControlAPI
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

extension Responder {
    /// A stream that says which sections of pages have changed, until either side ends it.
    func live(_ visit: Visit, _ request: Request) -> Answer {
        guard let seat = room.enter() else {
            return .plain(
                "\(LiveRoom.capacity) browsers listen already: close one, or reload the page by hand.",
                .serviceUnavailable)
        }
        let last = daemon.service.status().lastChange
        let known = (visit.header("Last-Event-ID") ?? visit.query["after"]).flatMap { Int64($0) }
        // How the daemon is stands in no feed; what stands in it is told as one change, however much was missed.
        room.note(known == last ? [.status, .attention] : LiveRoom.Section.allCases, last, for: seat.number)
        let (room, pace) = (room, pace)
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: ":\n\n"))
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for await _ in seat.bell {
                    let text = Responder.text(of: room.news(for: seat.number))
                    if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
                    try await pace()
                }
            }
            try await writer.finish(nil)
        }
        return Answer(
            .ok,
            [.contentType: ControlRoute.eventStream, .cacheControl: "no-store", .connection: "close"], body: body)
    }

    /// News as an event stream has them.
    static func text(of news: LiveRoom.News) -> String {
        let events = news.events.map { event in
            "id: \(event.sequence)\n"
                + "data: {\"section\":\"\(event.section.rawValue)\",\"seq\":\(event.sequence)}\n\n"
        }
        return events.joined() + (news.isBeat ? ":\n\n" : "")
    }
}
