import FirebaseWire
import SyncModel
import Testing

@testable import Firebase

/// A request of this process that a stream shows as a whole.
struct WholeEchoTests {
    private let sent = SentEntries()
    private let elements: [BatchElement]
    private let body: String

    init() throws {
        elements = ["A", "B", "C"].map {
            let write = RemoteWrite(
                key: $0, body: .record(Content(text: Array(#"{"t":1}"#.utf8), hash: .deleted), identityFields: [:]),
                stamp: .zero)
            return BatchElement(keyspace: .records("movies"), key: $0, write: write)
        }
        let patch = try EntryCoder.patch(elements, in: DatabaseLocation(FirebaseSettings(url: "http://own:1")))
        sent.note(elements, patch.body, patch.places)
        body = String(decoding: patch.body, as: UTF8.self)
    }

    private func shown(at time: String) -> String { body.replacing(#"{".sv":"timestamp"}"#, with: time) }

    /// What a stream says of events, whose bytes come in pieces of this length.
    private func heard(_ events: String, pieces: Int) -> [RemoteEvent] {
        var interpreter = StreamInterpreter(keyspace: .records("movies"), sent: sent)
        _ = interpreter.events(in: Array("event: put\ndata: {\"path\":\"/\",\"data\":null}\n\n".utf8)[...])
        let bytes = Array(events.utf8)
        return stride(from: 0, to: bytes.count, by: pieces).flatMap { start in
            interpreter.events(in: bytes[start..<min(start + pieces, bytes.count)])
        }
    }

    private static func patch(_ data: String, path: String = "/") -> String {
        "event: patch\ndata: {\"path\":\"\(path)\",\"data\":\(data)}\n\n"
    }

    @Test(arguments: [1, 7, 40, 10_000]) func `it is told in one event, however it is cut`(pieces: Int) {
        let events = heard(Self.patch(shown(at: "1700000000000")), pieces: pieces)
        #expect(events == [.echoed(elements, serverTime: 1_700_000_000_000)])
    }

    @Test(arguments: [1, 7, 10_000]) func `what an app writes between two is read`(pieces: Int) {
        let app = Self.patch(#"{"A":{"t":2},"B":null}"#)
        let events = heard(app + Self.patch(shown(at: "17")) + app, pieces: pieces)
        let changes: [RemoteEvent] = [
            .changed(RemoteEntry(key: "A", value: .record(fields: ["t": 2], stamps: nil))),
            .changed(RemoteEntry(key: "B", value: .absent)),
        ]
        #expect(events == changes + [.echoed(elements, serverTime: 17)] + changes)
    }

    /// What came of it, entry by entry: the key, and whether it is what was written.
    private func entries(_ events: [RemoteEvent]) -> [String] {
        events.flatMap { event in
            switch event {
            case .echoed(let elements, _): elements.map { "\($0.key) echo" }
            case .changed(let entry): ["\(entry.key) changed"]
            default: ["other"]
            }
        }
    }

    @Test(arguments: [1, 7, 10_000]) func `one that is shown otherwise is read entry by entry`(pieces: Int) {
        let other = shown(at: "17").replacing(#""B":{"_t":17"#, with: #""B":{"_t":18"#)
        #expect(entries(heard(Self.patch(other), pieces: pieces)) == ["A echo", "B echo", "C echo"])
    }

    @Test(arguments: [1, 7, 10_000]) func `one with something else in it is read`(pieces: Int) {
        let more = String(shown(at: "17").dropLast()) + #","D":{"t":3}}"#
        #expect(entries(heard(Self.patch(more), pieces: pieces)) == ["A echo", "B echo", "C echo", "D changed"])
    }

    @Test(arguments: [1, 7, 10_000]) func `one that was changed is read`(pieces: Int) {
        let changed = shown(at: "17").replacing(#""C":{"_t":17"#, with: #""C":{"_t":17,"x":1"#)
        #expect(entries(heard(Self.patch(changed), pieces: pieces)) == ["A echo", "B echo", "C changed"])
    }
}
