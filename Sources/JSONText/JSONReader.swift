internal import CSimdjson
package import SyncModel

/// Reads JSON text. The whole text is validated; a trailing comma, a comment or a lone surrogate is an error.
///
/// Of two equal keys in an object the last one counts. A whole number beyond 64 bits is a double, as
/// Firebase reads it.
package enum JSONReader {
    package static func value(_ text: some Sequence<UInt8>) throws(JSONSyntaxError) -> JSONValue {
        if let value = text.withContiguousStorageIfAvailable(parsed) { return try value.get() }
        return try Array(text).withUnsafeBufferPointer(parsed).get()
    }

    package static func value(_ text: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> JSONValue {
        try parsed(text).get()
    }

    /// The members of the object that `text` is; an error where it is anything else.
    package static func members(_ text: some Sequence<UInt8>) throws(JSONSyntaxError) -> [String: JSONValue] {
        guard case .object(let members) = try value(text) else {
            throw JSONSyntaxError(message: "this is not a JSON object")
        }
        return members
    }

    /// Reads `text`, and lets `body` walk through its tokens.
    ///
    /// The whole text is valid JSON when `body` is called; the tokens are valid until it returns.
    package static func read<Value>(
        _ text: ArraySlice<UInt8>, _ body: (inout JSONTokens) -> Value
    ) throws(JSONSyntaxError) -> Value {
        try text.withUnsafeBufferPointer { withTokens(of: $0, body) }.get()
    }

    /// The same of text that stands elsewhere.
    package static func read<Value>(
        _ text: UnsafeBufferPointer<UInt8>, _ body: (inout JSONTokens) -> Value
    ) throws(JSONSyntaxError) -> Value {
        try withTokens(of: text, body).get()
    }

    private static func parsed(_ text: UnsafeBufferPointer<UInt8>) -> Result<JSONValue, JSONSyntaxError> {
        withTokens(of: text) { $0.value() }
    }

    /// Hands the tokens of `text` to `body`; they are valid until it returns.
    private static func withTokens<Value>(
        of text: UnsafeBufferPointer<UInt8>, _ body: (inout JSONTokens) -> Value
    ) -> Result<Value, JSONSyntaxError> {
        let result = withTokens(ofShort: text, body)
        guard case .failure = result else { return result }
        let places = JSONScanner.longIntegers(in: UnsafeRawBufferPointer(text))
        guard !places.isEmpty else { return result }
        return asDoubles(places, in: text).withUnsafeBufferPointer { withTokens(ofShort: $0, body) }
    }

    /// `text` with the whole numbers at `places` written as doubles: `123…e0`.
    private static func asDoubles(_ places: [Range<Int>], in text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.count + 2 * places.count)
        var copied = 0
        for place in places {
            out.append(contentsOf: text[copied..<place.upperBound])
            out.append(contentsOf: "e0".utf8)
            copied = place.upperBound
        }
        out.append(contentsOf: text[copied...])
        return out
    }

    /// The same of a text whose whole numbers have at most 64 bits.
    private static func withTokens<Value>(
        ofShort text: UnsafeBufferPointer<UInt8>, _ body: (inout JSONTokens) -> Value
    ) -> Result<Value, JSONSyntaxError> {
        guard let base = text.baseAddress, !text.isEmpty else {
            return .failure(JSONSyntaxError(message: "the text is empty"))
        }
        let document = csimdjson_parse(base, text.count)
        defer { csimdjson_done() }
        if let error = document.error {
            return .failure(JSONSyntaxError(message: plain(String(cString: error))))
        }
        guard document.count > 0 else { return .failure(JSONSyntaxError(message: "the text is empty")) }
        var tokens = JSONTokens(UnsafeBufferPointer(start: document.tokens, count: document.count))
        return .success(body(&tokens))
    }

    /// simdjson's sentence without its word of class ("TAPE_ERROR: …").
    private static func plain(_ message: String) -> String {
        if message.hasSuffix("parsing a number") {
            return "a number is out of range, or misspelled"
        }
        guard let colon = message.firstRange(of: ": ") else { return message }
        return String(message[colon.upperBound...])
    }
}
