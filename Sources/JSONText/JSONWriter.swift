package import SyncModel

/// Writes JSON text: no spaces, keys in byte order, so that equal values give equal bytes.
///
/// By hand, because the hash of a content stands on these bytes: simdjson writes no values, and the bytes that
/// Foundation's `JSONEncoder` makes of keys and numbers are no promise.
package enum JSONWriter {
    package static func text(_ value: JSONValue) -> [UInt8] {
        var out: [UInt8] = []
        append(value, to: &out)
        return out
    }

    package static func text(_ members: [String: JSONValue]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(32 * members.count + 16)
        append(members, to: &out)
        return out
    }

    package static func string(_ value: JSONValue) -> String { String(decoding: text(value), as: UTF8.self) }

    package static func append(_ value: JSONValue, to out: inout [UInt8]) {
        switch value {
        case .null: out.append(contentsOf: "null".utf8)
        case .bool(let truth): out.append(contentsOf: (truth ? "true" : "false").utf8)
        case .integer(let number): out.append(contentsOf: String(number).utf8)
        case .number(let number):
            out.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
        case .string(let text): append(text, to: &out)
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                append(element, to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members): append(members, to: &out)
        }
    }

    package static func append(_ members: [String: JSONValue], to out: inout [UInt8]) {
        out.append(UInt8(ascii: "{"))
        var first = true
        for (key, value) in members.sorted(by: { precedes($0.key, $1.key) }) {
            if !first { out.append(UInt8(ascii: ",")) }
            first = false
            append(key, to: &out)
            out.append(UInt8(ascii: ":"))
            append(value, to: &out)
        }
        out.append(UInt8(ascii: "}"))
    }

    /// The order of bytes, which for text beyond ASCII is not that of `String`.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        let fast = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in left.lexicographicallyPrecedes(right) }
        }
        return (fast ?? nil) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Appends `text` as a JSON string, quotes included.
    package static func append(_ text: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            for (index, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                out.append(contentsOf: bytes[start..<index])
                start = index + 1
                appendEscape(of: byte, to: &out)
            }
            out.append(contentsOf: bytes[start...])
        }
        out.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: out.append(byte)
        case 0x0A: out.append(UInt8(ascii: "n"))
        case 0x0D: out.append(UInt8(ascii: "r"))
        case 0x09: out.append(UInt8(ascii: "t"))
        default:
            out.append(contentsOf: "u00".utf8)
            out.append(Hexadecimal.lower(UInt64(byte >> 4)))
            out.append(Hexadecimal.lower(UInt64(byte & 0xF)))
        }
    }
}
