import EventStream
import TestSupport
import Testing

@Suite struct EventStreamReaderTests {
    struct Event: Hashable {
        var name: String
        var data: String
    }

    /// The events in `text` when it arrives in pieces of these sizes, over and over.
    private func events(in text: String, pieces: [Int]) throws -> [Event] {
        var reader = EventStreamReader()
        var events: [Event] = []
        var open: (name: String, data: [UInt8])?
        for piece in Pieces(Array(text.utf8), sizes: pieces) {
            try reader.read(piece) { part in
                switch part {
                case .began(let name): open = (name, [])
                case .data(let bytes): open?.data += bytes
                case .ended:
                    let ended = try #require(open)
                    events.append(Event(name: ended.name, data: String(decoding: ended.data, as: UTF8.self)))
                    open = nil
                }
            }
        }
        return events
    }

    @Test(arguments: [
        ("event: put\ndata: 1\n\n", [Event(name: "put", data: "1")]),
        (
            "event: put\r\ndata: 1\r\n\r\nevent: patch\r\ndata: 2\r\n\r\n",
            [
                Event(name: "put", data: "1"), Event(name: "patch", data: "2"),
            ]
        ),
        ("event: put\rdata: 1\r\r", [Event(name: "put", data: "1")]),
        ("event:put\ndata:1\n\n", [Event(name: "put", data: "1")]),
        ("event:  put\ndata:  1\n\n", [Event(name: " put", data: " 1")]),
        ("event: put\ndata: a\ndata: b\ndata\ndata:c\n\n", [Event(name: "put", data: "a\nb\n\nc")]),
        (": a comment\n:\nevent: put\n: another\ndata: 1\n\n", [Event(name: "put", data: "1")]),
        ("data: 1\nevent: put\n\n", [Event(name: "put", data: "1")]),
        ("data: 1\n\n", [Event(name: "message", data: "1")]),
        ("event: put\n\ndata: 1\n\n", [Event(name: "message", data: "1")]),
        ("event: put\nevent: patch\ndata: 1\n\n", [Event(name: "patch", data: "1")]),
        ("\u{FEFF}event: put\ndata: 1\n\n", [Event(name: "put", data: "1")]),
        ("id: 7\nretry: 10\nevent: put\nunknown: x\nunknown\ndata: 1\n\n", [Event(name: "put", data: "1")]),
        ("event: put\ndata: \n\n", [Event(name: "put", data: "")]),
        ("event: put\ndata: Grüße 🎬: a:b\n\n", [Event(name: "put", data: "Grüße 🎬: a:b")]),
        ("\n\n\r\n\nevent: put\ndata: 1\n\n\n\n", [Event(name: "put", data: "1")]),
        ("event: put\ndata: 1\n", []),
    ])
    func `an event is the same wherever its bytes are cut`(text: String, expected: [Event]) throws {
        for pieces in [[text.utf8.count], [1], [2], [3, 1], [5, 7, 2]] {
            #expect(try events(in: text, pieces: pieces) == expected, "pieces of \(pieces)")
        }
    }

    @Test func `data is handed out as it comes`() throws {
        var reader = EventStreamReader()
        var parts: [EventStreamReader.Part] = []
        try reader.read(Array("event: put\ndata: abc".utf8)[...]) { parts.append($0) }
        #expect(parts == [.began(name: "put"), .data(Array("abc".utf8)[...])])
    }

    @Test func `too much data before the name of its event is an error`() {
        var reader = EventStreamReader()
        let text = Array("data: ".utf8) + [UInt8](repeating: 0x61, count: 1 << 20 + 1)
        #expect(throws: EventStreamError.self) { try reader.read(text[...]) { _ in } }
    }

    @Test(arguments: ["event: ", ""])
    func `an endless name is an error`(start: String) {
        var reader = EventStreamReader()
        let text = Array(start.utf8) + [UInt8](repeating: 0x61, count: 2000)
        #expect(throws: EventStreamError.self) { try reader.read(text[...]) { _ in } }
    }
}
