/// Cuts the text of a large JSON object or array into runs of members, each of which can be read by itself, and members
/// that are large by themselves.
///
/// What stands inside of a value is not looked at: whoever reads the run finds what is wrong with it.
struct MemberCut {
    enum Piece: Equatable {
        /// Members of an object, or elements of an array, with the commas between them.
        case run(Range<Int>)
        /// One that is too large for a run. Of an object, with the place of its key in quotes.
        case large(key: Range<Int>?, value: Range<Int>)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let size: Int
    private let isArray: Bool
    private var position: Int
    private var state = State.begun

    private enum State { case begun, between, finished }

    /// Nil where the text begins neither as an object nor as an array.
    ///
    /// - Parameter size: a run has at most so many bytes; what is larger alone is a piece of its own.
    init?(_ text: UnsafeBufferPointer<UInt8>, in range: Range<Int>, size: Int) {
        bytes = UnsafeBufferPointer(rebasing: text[..<range.upperBound])
        self.size = size
        position = range.lowerBound
        isArray = position < bytes.count && bytes[position] == UInt8(ascii: "[")
        guard isArray || position < bytes.count && bytes[position] == UInt8(ascii: "{") else { return nil }
        position += 1
    }

    /// Whether all is cut, and nothing is wrong between the members.
    var isFinished: Bool { state == .finished }

    /// The next piece; nil at the end and where something is wrong.
    mutating func next() -> Piece? {
        guard state != .finished else { return nil }
        skipBlank()
        if state == .begun, take(close) { return finish() }
        state = .between
        let start = position
        while true {
            let begin = position
            guard let member = skipMember() else { return nil }
            if position - begin > size {
                guard begin == start else {
                    position = begin
                    return .run(start..<lastComma(before: begin))
                }
                return separated() ? .large(key: member.key, value: member.value) : nil
            }
            let end = position
            skipBlank()
            if take(close) {
                _ = finish()
                return isFinished ? .run(start..<end) : nil
            }
            guard take(UInt8(ascii: ",")) else { return nil }
            if end - start >= size { return .run(start..<end) }
            skipBlank()
        }
    }

    private var close: UInt8 { UInt8(ascii: isArray ? "]" : "}") }

    /// After a member that is a piece of its own.
    private mutating func separated() -> Bool {
        skipBlank()
        if take(close) {
            _ = finish()
            return isFinished
        }
        return take(UInt8(ascii: ","))
    }

    private mutating func finish() -> Piece? {
        skipBlank()
        if position == bytes.count { state = .finished }
        return nil
    }

    private func lastComma(before place: Int) -> Int {
        var end = place
        repeat { end -= 1 } while bytes[end] != UInt8(ascii: ",")
        return end
    }

    private mutating func skipMember() -> (key: Range<Int>?, value: Range<Int>)? {
        var key: Range<Int>?
        if !isArray {
            let begin = position
            guard skipString() else { return nil }
            key = begin..<position
            skipBlank()
            guard take(UInt8(ascii: ":")) else { return nil }
            skipBlank()
        }
        let start = position
        guard skipValue(), position > start else { return nil }
        var end = position
        while end > start, MemberCut.isBlank(bytes[end - 1]) { end -= 1 }
        return (key, start..<end)
    }

    /// Goes to the comma or bracket after a value, blanks before it included.
    private mutating func skipValue() -> Bool {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard skipString() else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return true }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return true
            default: break
            }
            position += 1
        }
        return false
    }

    private mutating func skipString() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return take(UInt8(ascii: "\""))
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlank() {
        while position < bytes.count, MemberCut.isBlank(bytes[position]) { position += 1 }
    }

    static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x0A, 0x0D, 0x09].contains(byte) }
}
