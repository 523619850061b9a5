import JSONText
import SyncModel
import TestSupport
import Testing

struct JSONWriterTests {
    @Test(
        arguments: [
            (nil, "null"), (true, "true"), (0, "0"), (-5, "-5"), (2.5, "2.5"), (1e21, "1e+21"), (.number(.nan), "null"),
            (.number(.infinity), "null"), ("", "\"\""), ("é🎬/", "\"é🎬/\""), ("\"\\\n\r\t", "\"\\\"\\\\\\n\\r\\t\""),
            ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ([], "[]"), ([1, [nil]], "[1,[null]]"), ([:], "{}"),
            (["b": 1, "a": 2, "B": 3, "é": 4, "": 5], "{\"\":5,\"B\":3,\"a\":2,\"b\":1,\"é\":4}"),
        ] as [(JSONValue, String)])
    func `values are written without spaces, keys in byte order`(value: JSONValue, text: String) {
        #expect(JSONWriter.string(value) == text)
    }

    @Test func `what was written is read back`() throws {
        var values = SeededRandom(42)
        for _ in 0..<3000 {
            let value = values.value(depth: 5)
            let text = JSONWriter.text(value)
            let again = try JSONReader.value(text)
            #expect(JSONWriter.text(again) == text)
            #expect(again.pruned == value.pruned)
        }
    }

    @Test func `pruning again changes nothing`() {
        var values = SeededRandom(7)
        for _ in 0..<3000 {
            let once = values.value(depth: 4).pruned
            #expect(once?.pruned == once)
        }
    }

    @Test func `canonical text is stable: through storing, reading, and any spelling`() throws {
        var values = SeededRandom(43)
        for _ in 0..<2000 {
            let content = Content(fields: values.members(depth: 4))
            #expect(Content(fields: content.fields) == content)
            #expect(Content(fields: content.fields).text == content.text)
            #expect(Content(canonicalText: content.text) == content)
            #expect(content.text == JSONWriter.text(try JSONReader.members(content.text)))
        }
    }

    @Test func `the hash is the SHA-256 of the canonical text`() {
        let content = Content(fields: ["title": "Alien", "empty": [:], "year": 1979.0])
        #expect(String(decoding: content.text, as: UTF8.self) == "{\"title\":\"Alien\",\"year\":1979}")
        #expect(
            ContentHash(of: Array("abc".utf8)).description
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(ContentHash(content.hash.description) == content.hash)
        #expect(ContentHash("zz") == nil)
    }
}
