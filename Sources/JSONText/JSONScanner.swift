/// Finds its way in JSON text of any size without building values, and says where the text is no JSON.
///
/// Beside simdjson, which says neither the place of a value nor that of a fault, and needs several times the text in
/// memory. What both take is the same, but for lone surrogates and numbers out of range, which this passes.
package struct JSONScanner {
    /// One child of an object or array.
    package struct Member: Sendable {
        /// The key as it stands between its quotes, escapes included; the index in an array.
        package let key: [UInt8]
        /// Where its value stands.
        package let value: Range<Int>
    }

    /// Deeper than this nothing is read.
    private static let maxDepth = 64

    private struct Fault: Error {
        let offset: Int
        let message: String
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// The strings, numbers and truth values passed so far.
    private var leaves = 0
    /// Where the whole numbers stand that have more than 64 bits; nil where nobody asked.
    private var longIntegers: [Range<Int>]?

    private init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    // MARK: Asking

    /// Where the one value of the text stands, and how many strings, numbers and truth values are in it.
    ///
    /// The whole text is checked: what this takes is JSON in UTF-8. A byte order mark is passed over.
    package static func value(in bytes: UnsafeRawBufferPointer) throws(JSONFault) -> (place: Range<Int>, leaves: Int) {
        var scanner = JSONScanner(bytes, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        do throws(Fault) {
            return (try scanner.document(), scanner.leaves)
        } catch {
            throw placed(error, in: bytes)
        }
    }

    /// Where the whole numbers stand that have more than 64 bits, in their order; none in what is no JSON.
    static func longIntegers(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var scanner = JSONScanner(bytes, at: 0)
        scanner.longIntegers = []
        guard (try? scanner.document()) != nil else { return [] }
        return scanner.longIntegers ?? []
    }

    /// The children of the object or array at `place`; nil for anything else.
    ///
    /// - Parameter place: of a value in text that was checked.
    package static func members(at place: Range<Int>, in bytes: UnsafeRawBufferPointer) throws(JSONFault) -> [Member]? {
        guard bytes[place.lowerBound] == UInt8(ascii: "{") || bytes[place.lowerBound] == UInt8(ascii: "[") else {
            return nil
        }
        var scanner = JSONScanner(bytes, at: place.lowerBound)
        var members: [Member] = []
        do throws(Fault) {
            try scanner.container(depth: 0) { key, value in
                let key = key.map { Array(bytes[$0]) } ?? Array(String(members.count).utf8)
                members.append(Member(key: key, value: value))
            }
        } catch {
            throw placed(error, in: bytes)
        }
        return members
    }

    private static func placed(_ fault: Fault, in bytes: UnsafeRawBufferPointer) -> JSONFault {
        let before = bytes[..<min(fault.offset, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        return JSONFault(line: line, column: column, message: fault.message)
    }

    // MARK: Walking

    private func fault(_ message: String, at offset: Int? = nil) -> Fault {
        Fault(offset: offset ?? position, message: message)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlank() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Passes the one value of the text and all blanks; returns where the value stands.
    private mutating func document() throws(Fault) -> Range<Int> {
        skipBlank()
        let start = position
        try value(depth: 0)
        let end = position
        skipBlank()
        guard position == bytes.count else { throw fault("nothing may follow the value") }
        return start..<end
    }

    private mutating func value(depth: Int) throws(Fault) {
        switch peek {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try container(depth: depth) { _, _ in }
        case UInt8(ascii: "\""): _ = try string()
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): try number()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"):
            try word("null")
            return
        case nil: throw fault("the text ends too early")
        default: throw fault("a value is expected")
        }
        leaves += 1
    }

    /// Hands over where the key (nil in an array) and the value of each child stand.
    private mutating func container(depth: Int, _ body: (Range<Int>?, Range<Int>) -> Void) throws(Fault) {
        guard depth < JSONScanner.maxDepth else { throw fault("nested too deep") }
        let isObject = peek == UInt8(ascii: "{")
        let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        position += 1
        skipBlank()
        if peek == closing {
            position += 1
            return
        }
        while true {
            skipBlank()
            let key = isObject ? try key() : nil
            let start = position
            try value(depth: depth + 1)
            body(key, start..<position)
            skipBlank()
            if peek == closing { break }
            guard peek == UInt8(ascii: ",") else {
                throw fault(peek == nil ? "the text ends too early" : "a comma or the end of the list is expected")
            }
            position += 1
        }
        position += 1
    }

    private mutating func key() throws(Fault) -> Range<Int> {
        guard peek == UInt8(ascii: "\"") else {
            throw fault(peek == nil ? "the text ends too early" : "a key in double quotes is expected")
        }
        let place = try string()
        skipBlank()
        guard peek == UInt8(ascii: ":") else {
            throw fault(peek == nil ? "the text ends too early" : "a colon is expected")
        }
        position += 1
        skipBlank()
        return place
    }

    /// Passes a string; returns what stands between its quotes.
    private mutating func string() throws(Fault) -> Range<Int> {
        let start = position + 1
        var isASCII = true
        position = start
        while let byte = peek, byte != UInt8(ascii: "\"") {
            if byte < 0x20 { throw fault("a control character in a string must be escaped") }
            if byte >= 0x80 { isASCII = false }
            position += 1
            if byte == UInt8(ascii: "\\") { try escape() }
        }
        guard peek != nil else { throw fault("a string does not end", at: start - 1) }
        let place = start..<position
        position += 1
        if !isASCII, String(validating: bytes[place], as: UTF8.self) == nil {
            throw fault("a string is not UTF-8", at: start - 1)
        }
        return place
    }

    private mutating func escape() throws(Fault) {
        switch peek {
        case UInt8(ascii: "u"):
            let digits = bytes[(position + 1)...].prefix(4)
            guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
                throw fault("four hexadecimal digits are expected", at: position - 1)
            }
            position += 5
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        default: throw fault("this escape is not understood", at: position - 1)
        }
    }

    private mutating func number() throws(Fault) {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        let startsWithZero = peek == 0x30
        let whole = digits()
        let endOfWhole = position
        var isNumber = whole > 0 && (!startsWithZero || whole == 1)
        if peek == UInt8(ascii: ".") {
            position += 1
            isNumber = digits() > 0 && isNumber
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            isNumber = digits() > 0 && isNumber
        }
        guard isNumber else { throw fault("this is not a number", at: start) }
        if longIntegers != nil, position == endOfWhole, isLong(start..<position) {
            longIntegers?.append(start..<position)
        }
    }

    /// Whether a whole number, valid as it is, has more than 64 bits.
    private func isLong(_ place: Range<Int>) -> Bool {
        guard place.count > 18 else { return false }
        let text = String(decoding: bytes[place], as: UTF8.self)
        return UInt64(text) == nil && Int64(text) == nil
    }

    /// Passes digits; returns how many.
    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        let count = word.utf8CodeUnitCount
        let expected = UnsafeRawBufferPointer(start: word.utf8Start, count: count)
        guard bytes[position...].prefix(count).elementsEqual(expected) else { throw fault("a value is expected") }
        position += count
    }
}
