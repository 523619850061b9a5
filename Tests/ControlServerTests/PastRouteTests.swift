import ControlAPI
import ControlTestSupport
import Logging
import Synchronization
import TestSupport
import Testing

/// What tells of the past and takes it back, to the letter.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct PastRouteTests {
    @Test(arguments: [
        (
            "/v1/history/movies/6f96?limit=5&after=9",
            """
            {"collection":"movies","complete":false,"id":"6F9619FF-8B86-4011-B42D-00C04FC964FF",\
            "items":[{"at":"2026-11-20T20:15:04.120Z","fields":[{"after":true,"before":false,"name":"hasWatched",\
            "who":"app"}],"op":"update","origin":"remote","rule":null,"seq":2,\
            "stamp":"019a9d2f1a38-0000-00000000000000aa","who":"this node"}],\
            "keptSince":"2026-11-20T20:15:04.120Z","next":null}
            """
        ),
        (
            "/v1/why/movies/6f96",
            """
            "fields":[{"at":"2026-11-20T20:15:04.120Z","name":"title","onRemote":false,"remote":"Old",\
            "stamp":"019a9d2f1a38-0000-00000000000000aa","value":"Alien","who":"this node"}],"holds":[],\
            "quarantine":[],"record":{
            """
        ),
    ])
    func `a record is explained with every key`(path: String, expected: String) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let reply = try await ask("GET", path, at: socket)
            #expect(reply.status == 200)
            #expect(reply.body.contains(expected), "\(reply.body)")
        }
    }

    private func undo(_ query: String, _ body: String, at socket: String) async throws -> RawReply {
        try await exchange(
            "POST /v1/undo\(query) HTTP/1.1\r\nHost: moviesync\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", at: socket)
    }

    @Test(arguments: [
        ("", #"{"since":"2026-11-20T20:00:00Z","dryRun":true}"#, "since 2026-11-20T20:00:00.000Z from - dry"),
        ("", #"{"since":"2026-11-20T20:00:00Z","from":"app","yes":true}"#, "since 2026-11-20T20:00:00.000Z from app "),
        ("?dryRun=true", #"{"since":"2026-11-20T20:00:00Z"}"#, "since 2026-11-20T20:00:00.000Z from - dry"),
    ])
    func `an undo reaches the service, tried in whichever way that is asked for`(
        query: String, body: String, call: String
    ) async throws {
        let service = FakeControlService.full()
        let log = CountedLog()
        let logger = Logger(label: "test") { _ in log }
        try await withServedSocket(service, logger: logger) { socket in
            let reply = try await undo(query, body, at: socket)
            #expect(reply.status == 200)
            let isTried = call.hasSuffix("dry")
            #expect(log.count(of: "control.changed") == (isTried ? 0 : 1))
            #expect(
                reply.body == """
                    {"count":0,"deletes":0,"done":\(!isTried),"dryRun":\(isTried),"holds":[],"keptSince":null,"left":[],\
                    "leftCount":0,"records":[],"since":"2026-11-20T20:00:00.000Z","until":"2026-11-20T20:15:04.120Z",\
                    "waiting":0}

                    """)
            #expect(await service.calls.first { _ in true } == "undo \(call)")
        }
    }

    @Test(arguments: ["", "nonsense", "{}", #"{"since":7}"#, #"{"since":"yesterday"}"#, "[1]"])
    func `an order that is none is refused`(body: String) async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let reply = try await undo("", body, at: socket)
            #expect(reply.status == 400)
            #expect(reply.body.contains(#""code":"badBody""#))
        }
    }
}

/// Counts what is logged, by its `event`.
private struct CountedLog: LogHandler {
    private final class Words: Sendable { let all = Mutex<[String]>([]) }

    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug
    private let words = Words()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if let word = event.metadata?["event"] { words.all.withLock { $0.append("\(word)") } }
    }

    func count(of word: String) -> Int { words.all.withLock { $0.count { $0 == word } } }
}
