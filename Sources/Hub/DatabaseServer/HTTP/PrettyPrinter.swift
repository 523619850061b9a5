/// JSON text for people: one member a line, two spaces a level.
///
/// By hand, because the text of a large node is laid out in the pieces in which it is sent, never whole.
struct PrettyPrinter: Sendable {
    private var level = 0
    private var inString = false
    private var isEscaped = false
    /// Whether the last byte has opened an object or array that may turn out to be empty.
    private var isOpening = false

    /// The canonical text `piece` laid out; pieces follow each other, cut anywhere.
    mutating func text(_ piece: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(piece.count * 2)
        for byte in piece { append(byte, &out) }
        return out
    }

    /// What stands after the last piece.
    static let end = [UInt8(ascii: "\n")]

    private mutating func append(_ byte: UInt8, _ out: inout [UInt8]) {
        if inString {
            out.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                inString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            level = max(0, level - 1)
            if !isOpening { newLine(&out) }
            isOpening = false
            out.append(byte)
            return
        default: break
        }
        if isOpening { newLine(&out) }
        isOpening = false
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            out.append(byte)
            level += 1
            isOpening = true
        case UInt8(ascii: ","):
            out.append(byte)
            newLine(&out)
        case UInt8(ascii: ":"): out.append(contentsOf: " : ".utf8)
        default:
            inString = byte == UInt8(ascii: "\"")
            out.append(byte)
        }
    }

    private func newLine(_ out: inout [UInt8]) {
        out.append(UInt8(ascii: "\n"))
        for _ in 0..<level { out.append(contentsOf: "  ".utf8) }
    }
}
