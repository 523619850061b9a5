import FirebaseWire
import JSONText
import SyncModel
import Testing

struct SentEntriesTests {
    private static let stamp = Stamp("0123456789ab-0002-00000000000000a1") ?? .zero

    private static func write(_ title: String, _ key: String = "K", replaces: Stamp? = nil) -> RemoteWrite {
        let content = Content(fields: ["title": .string(title), "Art": ["x"], "hasWatched": true])
        let stamps = FieldStamps(stamp, named: ["title": stamp])
        return RemoteWrite(
            key: key, body: .record(content, identityFields: ["identifier": .string(key)], fieldStamps: stamps),
            stamp: stamp, replaces: replaces)
    }

    /// Notes writes as one request.
    private func note(_ writes: [RemoteWrite], in keyspace: Keyspace = .records("movies"), _ sent: SentEntries) {
        var body: [UInt8] = []
        var places: [SentPlace] = []
        for (index, write) in writes.enumerated() {
            places.append(EntrySpelling.append(write, element: index, to: &body))
            body += [UInt8(ascii: ",")]
        }
        sent.note(writes.map { BatchElement(keyspace: keyspace, key: $0.key, write: $0) }, body, places)
    }

    /// What a database shows of a write.
    private func shown(_ write: RemoteWrite, at time: String = "1700000000000") throws -> [UInt8] {
        var body: [UInt8] = []
        EntrySpelling.append(write, to: &body)
        var members = try JSONReader.members(body)
        members["_t"] = "TIME"
        let text = String(decoding: JSONWriter.text(members), as: UTF8.self)
        return Array(text.replacing("\"TIME\"", with: time).utf8)
    }

    private static let writes: [RemoteWrite] = [
        write("Alien"), write("ü🎬\"\\\n"), write("Alien", replaces: stamp),
        RemoteWrite(key: "K", body: .record(Content(fields: [:]), identityFields: [:]), stamp: stamp),
        RemoteWrite(key: "K", body: .tombstone(ended: nil), stamp: stamp),
        RemoteWrite(key: "K", body: .tombstone(ended: ContentHash(of: [1])), stamp: stamp, replaces: stamp),
    ]

    @Test(arguments: writes) func `what comes back is what was written`(write: RemoteWrite) throws {
        let sent = SentEntries()
        note([Self.write("other", "J"), write, Self.write("other", "L")], sent)
        let echo = sent.echo("K", in: .records("movies"), try shown(write))
        #expect(echo?.write.write == write)
        #expect(echo?.serverTime == 1_700_000_000_000)
        let again = sent.echo("K", in: .records("movies"), try shown(write))
        #expect(again == nil)
    }

    @Test(arguments: writes) func `whoever reads it instead finds the same`(write: RemoteWrite) throws {
        let keyspace: Keyspace = if case .tombstone = write.body { .tombstones("movies") } else { .records("movies") }
        let read = EntrySpelling.entry("K", text: try shown(write), in: keyspace)
        switch (read.value, write.body) {
        case (.record(let fields, let stamps), .record(let content, let identity, let named)):
            #expect(fields == content.fields.merging(identity) { $1 })
            #expect(stamps == RemoteStamps(write.stamp, fields: named, replaces: write.replaces))
        case (.tombstone(let stamp, let ended), .tombstone(let hash)): #expect(stamp == write.stamp && ended == hash)
        default: Issue.record("\(read.value) was read")
        }
    }

    @Test(arguments: ["", "-1", "1.5", "\"5\"", "12345678901234567"])
    func `what is no time is no echo`(time: String) throws {
        let sent = SentEntries()
        note([Self.write("Alien")], sent)
        #expect(sent.echo("K", in: .records("movies"), try shown(Self.write("Alien"), at: time)) == nil)
    }

    @Test func `whatever differs in one byte is no echo`() throws {
        let text = try shown(Self.write("Alien"))
        for index in text.indices where !(0x30...0x39).contains(text[index]) {
            let sent = SentEntries()
            note([Self.write("Alien")], sent)
            var other = text
            other[index] ^= 1
            #expect(sent.echo("K", in: .records("movies"), other) == nil)
        }
    }

    @Test func `a key of another keyspace is another one`() throws {
        let sent = SentEntries()
        note([Self.write("Alien")], sent)
        #expect(sent.echo("K", in: .records("films"), try shown(Self.write("Alien"))) == nil)
        #expect(sent.echo("K", in: .records("movies"), try shown(Self.write("Alien"))) != nil)
    }

    @Test func `of two writes of a key the last one counts`() throws {
        let sent = SentEntries()
        note([Self.write("Alien")], sent)
        note([Self.write("Aliens")], sent)
        #expect(sent.echo("K", in: .records("movies"), try shown(Self.write("Aliens"))) != nil)
    }

    // MARK: Whole requests

    private static let keys = ["A", "B", "C"]

    /// A request that writes several entries, and what a stream shows of it.
    private func request(
        _ titles: [String], at times: [String]
    ) throws -> (elements: [BatchElement], body: [UInt8], places: [SentPlace], shown: [UInt8]) {
        var (body, shown, places): ([UInt8], [UInt8], [SentPlace]) = ([UInt8(ascii: "{")], [UInt8(ascii: "{")], [])
        var elements: [BatchElement] = []
        for (index, title) in titles.enumerated() {
            let write = Self.write(title, Self.keys[index])
            elements.append(BatchElement(keyspace: .records("movies"), key: write.key, write: write))
            let key = Array((index == 0 ? "" : ",").utf8) + Array("\"\(write.key)\":".utf8)
            body += key
            places.append(EntrySpelling.append(write, element: index, to: &body))
            shown += try key + self.shown(write, at: times[index])
        }
        return (elements, body + [UInt8(ascii: "}")], places, shown + [UInt8(ascii: "}")])
    }

    @Test func `a request that comes back as a whole is known by its first key`() throws {
        let sent = SentEntries()
        let (elements, body, places, shown) = try request(["Alien", "ü", "x"], at: ["17", "17", "17"])
        sent.note(elements, body, places)
        let found = try #require(sent.request(beginningWith: [UInt8(ascii: "A")], in: .records("movies")))
        #expect(found.serverTime(in: shown[...]) == 17)
        #expect(found.elements == elements)
        #expect(sent.request(beginningWith: [UInt8(ascii: "B")], in: .records("movies")) == nil)
        #expect(sent.request(beginningWith: [UInt8(ascii: "A")], in: .records("films")) == nil)
    }

    @Test func `whatever differs in one byte is no echo of a request`() throws {
        let sent = SentEntries()
        let (elements, body, places, shown) = try request(["Alien", "x"], at: ["1700000000000", "1700000000000"])
        sent.note(elements, body, places)
        let found = try #require(sent.request(beginningWith: [UInt8(ascii: "A")], in: .records("movies")))
        for index in shown.indices {
            var other = shown
            other[index] ^= 1
            #expect(found.serverTime(in: other[...]) == nil)
            #expect(found.serverTime(in: shown[..<index]) == nil)
        }
        #expect(found.serverTime(in: shown + [UInt8(ascii: "}")]) == nil)
    }

    @Test func `a request that came at two times is read entry by entry`() throws {
        let sent = SentEntries()
        let (elements, body, places, shown) = try request(["Alien", "x"], at: ["17", "18"])
        sent.note(elements, body, places)
        let found = sent.request(beginningWith: [UInt8(ascii: "A")], in: .records("movies"))
        #expect(found?.serverTime(in: shown[...]) == nil)
        let echo = sent.echo("B", in: .records("movies"), try self.shown(Self.write("x", "B"), at: "18"))
        #expect(echo?.serverTime == 18)
    }

    @Test func `the last write of a key counts, whichever request had it`() throws {
        let sent = SentEntries()
        let (elements, body, places, _) = try request(["Alien", "x"], at: ["17", "17"])
        sent.note(elements, body, places)
        note([Self.write("Aliens", "B")], sent)
        #expect(sent.echo("B", in: .records("movies"), try shown(Self.write("Aliens", "B"))) != nil)
        #expect(sent.echo("A", in: .records("movies"), try shown(Self.write("Alien", "A"))) != nil)
    }

    @Test func `a request that was shown as a whole is forgotten, and no other`() throws {
        let sent = SentEntries()
        let (elements, body, places, _) = try request(["Alien", "x"], at: ["17", "17"])
        sent.note(elements, body, places)
        let shown = try #require(sent.request(beginningWith: [UInt8(ascii: "A")], in: .records("movies")))
        let (others, otherBody, otherPlaces, _) = try request(["Aliens", "y"], at: ["18", "18"])
        sent.note(others, otherBody, otherPlaces)
        sent.forget(shown)
        let other = sent.request(beginningWith: [UInt8(ascii: "A")], in: .records("movies"))
        #expect(other?.elements == others)
        if let other { sent.forget(other) }
        #expect(sent.request(beginningWith: [UInt8(ascii: "A")], in: .records("movies")) == nil)
    }

    @Test func `nothing keeps a request that was shown`() throws {
        let sent = SentEntries()
        weak var request: SentRequest?
        do {
            let (elements, body, places, _) = try self.request(["Alien", "x"], at: ["17", "17"])
            sent.note(elements, body, places)
            let shown = try #require(sent.request(beginningWith: [UInt8(ascii: "A")], in: .records("movies")))
            request = shown
            sent.forget(shown)
        }
        #expect(request == nil)
    }

    @Test func `what was sent long ago is forgotten`() throws {
        let sent = SentEntries(remembered: 1 << 20)
        note([Self.write("Alien")], sent)
        let long = String(repeating: "x", count: 1 << 20)
        note([Self.write(long, "A")], sent)
        note([Self.write("short", "B")], sent)
        #expect(sent.echo("B", in: .records("movies"), try shown(Self.write("short", "B"))) != nil)
        note([Self.write(long, "C")], sent)
        note([Self.write("short", "D")], sent)
        #expect(sent.echo("K", in: .records("movies"), try shown(Self.write("Alien"))) == nil)
        #expect(sent.echo("C", in: .records("movies"), try shown(Self.write(long, "C"))) != nil)
    }
}
