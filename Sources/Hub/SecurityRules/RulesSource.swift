/// Reads the JSON that rules are written in: comments are allowed, and every string knows where it stands.
///
/// By hand, because no JSON parser takes comments and says where in the file each character of a string stood.
struct RulesSource {
    /// A string of the file, decoded.
    struct Text {
        var bytes: [UInt8] = []
        /// The offset in the file of each byte, and of the closing quote.
        var offsets: [Int] = []

        var string: String { String(decoding: bytes, as: UTF8.self) }
    }

    struct Member {
        let key: Text
        let value: Value
    }

    enum Value {
        case object([Member])
        case array([Value])
        case string(Text)
        case bool(Bool)
    }

    let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The one value of the file.
    mutating func read() throws(RulesError) -> Value {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw error("the file begins with a byte order mark: save it as UTF-8 without one")
        }
        if let fault = firstInvalidByte { throw error("this is not UTF-8", at: fault) }
        skipBlank()
        guard position < bytes.count else {
            throw error("the file is empty: it must be an object with the key \"rules\"")
        }
        let value = try value(depth: 0)
        skipBlank()
        guard position == bytes.count else { throw error("nothing may follow the rules") }
        return value
    }

    func error(_ message: String, at offset: Int? = nil) -> RulesError {
        let before = bytes.prefix(offset ?? position)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).count + 1
        return RulesError(line: line, column: column, message: message)
    }

    /// Where the text stops being UTF-8.
    private var firstInvalidByte: Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var decoder = UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while case .valid(let scalar) = decoder.parseScalar(from: &rest) { offset += scalar.count }
        return offset
    }

    private mutating func value(depth: Int) throws(RulesError) -> Value {
        guard depth < 64 else { throw error("nested too deep") }
        skipBlank()
        switch peek {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["):
            var elements: [Value] = []
            try list(closing: UInt8(ascii: "]")) { (source) throws(RulesError) in
                elements.append(try source.value(depth: depth + 1))
            }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try text())
        default:
            if take("true") { return .bool(true) }
            if take("false") { return .bool(false) }
            throw error("an object, an array, a string, true or false is expected")
        }
    }

    private mutating func members(depth: Int) throws(RulesError) -> [Member] {
        var members: [Member] = []
        var keys: Set<[UInt8]> = []
        try list(closing: UInt8(ascii: "}")) { (source) throws(RulesError) in
            guard source.peek == UInt8(ascii: "\"") else { throw source.error("a key in double quotes is expected") }
            let key = try source.text()
            guard keys.insert(key.bytes).inserted else {
                throw source.error("the key \"\(key.string)\" stands here twice", at: key.offsets.first)
            }
            source.skipBlank()
            guard source.take(":") else { throw source.error("a colon is expected") }
            members.append(Member(key: key, value: try source.value(depth: depth + 1)))
        }
        return members
    }

    private mutating func list(
        closing: UInt8, _ element: (inout RulesSource) throws(RulesError) -> Void
    ) throws(RulesError) {
        position += 1
        skipBlank()
        while peek != closing {
            try element(&self)
            skipBlank()
            if take(",") {
                skipBlank()
            } else if peek != closing {
                throw error("a comma or \(Character(UnicodeScalar(closing))) is expected")
            }
        }
        position += 1
    }

    private mutating func text() throws(RulesError) -> Text {
        var text = Text()
        position += 1
        while let byte = peek, byte != UInt8(ascii: "\"") {
            let start = position
            position += 1
            var decoded = [byte]
            if byte == UInt8(ascii: "\\") { decoded = try escape() }
            text.bytes += decoded
            text.offsets += Array(repeating: start, count: decoded.count)
        }
        guard peek != nil else { throw error("a string does not end") }
        text.offsets.append(position)
        position += 1
        return text
    }

    private mutating func escape() throws(RulesError) -> [UInt8] {
        defer { position += 1 }
        switch peek {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [bytes[position]]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var units = [try codeUnit()]
            if UTF16.isLeadSurrogate(units[0]), bytes[(position + 1)...].starts(with: "\\u".utf8) {
                position += 2
                units.append(try codeUnit())
            }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw error("this escape is half a character")
            }
            return Array(text.utf8)
        default: throw error("this escape is not understood")
        }
    }

    /// The four digits behind the `u` that stands here; their last is the place afterwards.
    private mutating func codeUnit() throws(RulesError) -> UInt16 {
        let digits = bytes[(position + 1)...].prefix(4)
        let isHexadecimal = digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        guard digits.count == 4, isHexadecimal, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error("this escape is not understood") }
        position += 4
        return unit
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    /// Skips white space and both kinds of comments.
    private mutating func skipBlank() {
        while let byte = peek {
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                position += 1
            } else if take("//") {
                while let byte = peek, byte != 0x0A { position += 1 }
            } else if bytes[position...].starts(with: "/*".utf8) {
                let start = position
                position += 2
                while position < bytes.count, !take("*/") { position += 1 }
                // What does not end is no comment: it is refused where it begins.
                guard bytes[..<position].dropFirst(start + 2).suffix(2).elementsEqual("*/".utf8) else {
                    position = start
                    return
                }
            } else {
                return
            }
        }
    }
}
