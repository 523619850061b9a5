import PluginWire
import SyncModel
import TestSupport
import Testing

@Suite struct PluginLineTests {
    @Test func `reads each kind of answer`() throws {
        func read(_ text: String) throws -> PluginLine { try PluginLine(Array(text.utf8)) }
        #expect(try read(#"{"id":7,"item":{"key":"348"}}"#).content == .answer(.item(["key": "348"])))
        #expect(try read(#"{"id":7,"progress":{"done":1},"more":0}"#).content == .answer(.progress(["done": 1])))
        #expect(try read(#"{"id":7.0,"ok":null}"#) == read(#"{"id":7,"ok":null}"#))
        let limited = try read(#"{"id":7,"error":{"code":"limited","message":"1,000 a day","retryAfter":3600}}"#)
        #expect(limited.content == .failed(PluginError(.limited, "1,000 a day", retryAfter: 3600)))
        #expect(
            [limited.isEnd, try read(#"{"id":1,"ok":{}}"#).isEnd, try read(#"{"id":1,"item":{}}"#).isEnd] == [
                true, true, false,
            ])
    }

    @Test func `a plugin may ask for a day's rest at most`() {
        #expect(PluginError(["code": "limited", "retryAfter": 1e300]).retryAfter == 86_400)
        #expect(PluginError(["code": "limited", "retryAfter": .integer(.max)]).retryAfter == 86_400)
    }

    @Test func `a code that is not known counts as internal, and its word is shown`() throws {
        let error = PluginError(["code": "outOfPaper", "message": "tray 2", "field": "title", "retryAfter": -1])
        #expect(error == PluginError(.internal, "outOfPaper: tray 2", field: "title"))
        #expect(PluginError("just words") == PluginError(.internal, "just words"))
    }

    @Test(arguments: [
        ("Loading films…", PluginBreach.Code.notJSON), (#"["id"]"#, .notJSON), (#"{"id":1,"ok":{}"#, .notJSON),
        (#"{"ok":{}}"#, .notAnAnswer), (#"{"id":"1","ok":{}}"#, .notAnAnswer), (#"{"id":1.5,"ok":{}}"#, .notAnAnswer),
        (#"{"id":1}"#, .notAnAnswer), (#"{"id":1,"ok":{},"error":{}}"#, .notAnAnswer),
    ])
    func `says what is wrong with a line`(_ text: String, _ code: PluginBreach.Code) throws {
        let breach = #expect(throws: PluginBreach.self) { try PluginLine(Array(text.utf8)) }
        #expect(breach?.code == code)
        #expect(breach?.message.contains(text) == true)
    }

    @Test func `shows the first 80 bytes of what is no answer, in one line`() {
        let long = Array(("a\tb" + String(repeating: "x", count: 100)).utf8)
        #expect(PluginBreach.excerpt(long) == "\"a b" + String(repeating: "x", count: 77) + "…\"")
    }

    @Test func `no part of a secret stays where an excerpt is cut`() {
        for blanks in 60...90 {
            let line = Array((String(repeating: "x", count: blanks) + "hunter22").utf8)
            #expect(!PluginBreach.excerpt(line, Redaction(["hunter22"])).contains("h"))
        }
    }

    @Test(arguments: [[1], [2, 3], [64], [7, 1, 1]])
    func `lines are the same whatever the pieces they come in`(_ sizes: [Int]) throws {
        var lines = PluginLines(limit: 8)
        var read: [String] = []
        for piece in Pieces(Array("12345678\r\n\n\r\nab\nüü\n".utf8), sizes: sizes) {
            read += try lines.read(piece).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(read == ["12345678", "ab", "üü"])
    }

    @Test func `a line that is too long is an error, and nothing is read after it`() throws {
        var lines = PluginLines(limit: 8)
        let breach = #expect(throws: PluginBreach.self) { try lines.read(Array("ok\n1234567890".utf8)[...]) }
        #expect(breach?.code == .lineTooLong)
        #expect(breach?.message == "it printed a line of more than 8 bytes")
        #expect(try lines.read(Array("\nok\n".utf8)[...]) == [])
    }

    @Test func `takes secrets out in every spelling that is likely`() {
        let redact = Redaction(["a\"b/c d", "abc", "abcdefg", "abcdefghij"])
        #expect(redact(#"key=a%22b%2Fc%20d, "a\"b/c d", a"b/c d"#) == #"key=•••, "•••", •••"#)
        #expect(redact("abc abcdefghij abcdefg") == "abc ••• •••")
        let said: [String: JSONValue] = ["abcdefg": ["x", 1, ["of": "an abcdefg"]]]
        #expect(redact(said) == ["•••": ["x", 1, ["of": "an •••"]]])
        let error = PluginError(["code": "defect", "message": "no", "field": "the abcdefg"], redact)
        #expect(error.field == "the •••")
    }
}
