import JSONText
import SyncModel
import Testing

@testable import Daemon

struct ImportPlanTests {
    /// The bodies of the requests that `text` becomes.
    private func bodies(_ text: String, _ mode: ImportPlan.Mode, maxBytes: Int, chunkSize: Int = 1 << 20) throws
        -> [String]
    {
        try Array(text.utf8).withUnsafeBytes { bytes in
            let plan = try ImportPlan(bytes, mode: mode, maxBytes: maxBytes, chunkSize: chunkSize)
            return plan.requests.map { String(decoding: plan.body(of: $0, in: bytes), as: UTF8.self) }
        }
    }

    @Test func `what fits is sent as it is`() throws {
        #expect(try bodies(#" {"a": [1]} "#, .replace, maxBytes: 100) == [#"{"a": [1]}"#])
        #expect(try bodies(#"{"a":[1],"b":null}"#, .merge, maxBytes: 100) == [#"{"a":[1],"b":null}"#])
        #expect(try bodies("5", .replace, maxBytes: 100) == ["5"])
    }

    @Test func `what does not fit is cut where it must be`() throws {
        let text = #"{"a":{"x":"0123456789","y":{"z":"0123456789"}},"b":[1,[2]],"c\"":3}"#
        #expect(
            try bodies(text, .replace, maxBytes: 40, chunkSize: 25) == [
                #"{"a/x":"0123456789"}"#, #"{"a/y":{"z":"0123456789"}}"#, #"{"b":[1,[2]],"c\"":3}"#,
            ])
        #expect(
            try bodies(text, .merge, maxBytes: 40, chunkSize: 25).first == #"{"a":null}"#,
            "a child that comes in pieces is emptied first")
        #expect(
            try bodies(#"{"a":{"b":{"c":"0123456789","d":"0123456789"},"e":"0123456789"}}"#, .merge, maxBytes: 20)
                .first == #"{"a":null}"#, "what is cut within it is emptied with it")
        #expect(try bodies(#"[[1,2],["0123456789"]]"#, .replace, maxBytes: 10).last == #"{"1/0":"0123456789"}"#)
    }

    @Test func `all that is in the file arrives however it is cut`() throws {
        var members: [String: JSONValue] = [:]
        for index in 0..<200 {
            members["k\(index)"] = [
                "n": .integer(Int64(index)), "deep": ["t": .string(String(repeating: "ä", count: index))],
            ]
        }
        let whole = JSONValue.object(members)
        for chunkSize in [64, 100, 1000, 20_000] {
            var result: [String: JSONValue] = [:]
            for body in try bodies(JSONWriter.string(whole), .replace, maxBytes: 500, chunkSize: chunkSize) {
                for (path, value) in try JSONReader.members(body.utf8) {
                    put(value, path.split(separator: "/").map(String.init)[...], &result)
                }
            }
            #expect(result == members)
        }
    }

    private func put(_ value: JSONValue, _ path: ArraySlice<String>, _ members: inout [String: JSONValue]) {
        guard let key = path.first else { return }
        guard path.count > 1 else {
            members[key] = value
            return
        }
        var inner = members[key]?.members ?? [:]
        put(value, path.dropFirst(), &inner)
        members[key] = .object(inner)
    }

    @Test(arguments: [
        "", "null", "{}", "[]", "{\"a\":{}}", "{\"a\":", "{\"a/b\":1}", "{\"\":1}", "{\"a.b\":1}", "5", "\"x\"",
    ])
    func `what can't be merged is refused`(_ text: String) {
        #expect(throws: (any Error).self) { try bodies(text, .merge, maxBytes: 100) }
    }
}
