import EventStream
import Testing

struct WholeEventsTests {
    @Test(arguments: 1...40)
    func `events are found however their bytes are cut`(size: Int) throws {
        let bytes = Array(":\n\nid: 1\ndata: {\"seq\":1}\n\nid: 2\ndata: {\"title\":\"é\"}\n\ndata: rest".utf8)
        var events = WholeEvents(maxData: 100)
        var found: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let chunk = bytes[start..<min(start + size, bytes.count)]
            found += try events.read(chunk).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(found == [#"{"seq":1}"#, #"{"title":"é"}"#])
    }
}
