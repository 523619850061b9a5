import HTTPCalling
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

struct AnswerGuardTests {
    private let channel = EmbeddedChannel(handler: AnswerGuard())

    private func head(_ status: Int) -> HTTPClientResponsePart {
        .head(HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status)))
    }

    @Test(arguments: [0, 1, 99]) func `a status that there is not is an error, and nothing follows it`(
        status: Int
    ) throws {
        #expect(throws: AnswerGuard.ImpossibleStatus(status: status)) { try channel.writeInbound(head(status)) }
        try channel.writeInbound(HTTPClientResponsePart.end(nil))
        let part = try channel.readInbound(as: HTTPClientResponsePart.self)
        #expect(part == nil)
    }

    @Test(arguments: [100, 101, 103, 200, 204, 307, 412, 503, 999]) func `every other goes through`(
        status: Int
    ) throws {
        try channel.writeInbound(head(status))
        let part = try channel.readInbound(as: HTTPClientResponsePart.self)
        #expect(part == head(status))
    }
}
