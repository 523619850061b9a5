internal import FirebaseWire
internal import JSONText
internal import SyncModel

/// What was found at one place of a text.
enum OutlineFinding: Sendable {
    /// Null, or what stores as little.
    case nothing
    /// What can be read by itself.
    case whole
    case large(OutlineIndex)

    var isNothing: Bool { if case .nothing = self { true } else { false } }
}

/// Checks the text of a large value piece by piece, and notes where its large parts have their members.
struct OutlineReader {
    /// What has more bytes is cut, and so many bytes are read together.
    static let run = 8 * 1024
    /// What stands under a pseudo key has at most so many commas and brackets.
    private static let maxMarks = 4

    /// Whether something in what was read adds to a number that is there.
    private(set) var hasIncrement = false
    let text: UnsafeBufferPointer<UInt8>
    private let run: Int

    init(_ text: UnsafeBufferPointer<UInt8>, run: Int = run) {
        self.text = text
        self.run = run
    }

    /// Reads what is to be stored `depth` levels below the root. Throws a refusal (400).
    mutating func value(in range: Range<Int>, depth: Int) throws(Refusal) -> OutlineFinding {
        guard range.count > run else {
            return try read(range) { reader throws(Refusal) in try reader.value(depth: depth) }
        }
        guard var cut = MemberCut(text, in: range, size: run) else { return try scalar(range) }
        var parts = OutlineIndex.Parts(isArray: text[range.lowerBound] == UInt8(ascii: "["))
        while let piece = cut.next() { try read(piece, depth, into: &parts) }
        guard cut.isFinished else { throw .invalidJSON }
        return try parts.finished(in: text).map { .large($0) } ?? .nothing
    }

    private mutating func read(
        _ piece: MemberCut.Piece, _ depth: Int, into parts: inout OutlineIndex.Parts
    ) throws(Refusal) {
        switch piece {
        case .run(let range): try members(range, depth, into: &parts)
        case .large(nil, let range):
            guard depth < WirePath.maxDepth else { throw .tooDeep }
            parts.add(.element, (nil, range), try value(in: range, depth: depth + 1))
        case .large(let name?, let range):
            switch try key(name) {
            case ".priority": parts.add(.priority, (name, range), try priority(in: range))
            case ".sv":
                let finding = try pseudo(range, else: .unknownServerValue) { reader throws(Refusal) in
                    try reader.serverValue()
                }
                parts.add(.server, (name, range), finding)
            case ".value":
                let finding = try pseudo(range, else: .valueIsNoPrimitive) { reader throws(Refusal) in
                    try reader.primitive()
                }
                parts.add(.value, (name, range), finding)
            case let text:
                guard WireKey.isLegal(text) else { throw .invalidKey(at: name.lowerBound, in: self.text) }
                guard depth < WirePath.maxDepth else { throw .tooDeep }
                parts.add(.child, (name, range), try value(in: range, depth: depth + 1))
            }
        }
    }

    /// Reads members that stand together.
    private mutating func members(
        _ range: Range<Int>, _ depth: Int, into parts: inout OutlineIndex.Parts
    ) throws(Refusal) {
        let isArray = parts.isArray
        let piece = [UInt8](enclosing: text[range], isArray: isArray)
        let text = text
        var (found, increment) = (parts, false)
        parts = OutlineIndex.Parts(isArray: isArray)
        defer { parts = found }
        try piece.asText { bytes throws(Refusal) in
            try PutBodyReader.reading(bytes, of: text, from: range.lowerBound - 1) { reader throws(Refusal) in
                var scan = TextScan(bytes: text, position: range.lowerBound)
                try reader.forEachPart(depth: depth) { part, value in
                    guard let member = scan.skipMember(isArray: isArray) else { return }
                    found.add(part, member, value == .null ? .nothing : .whole)
                    increment = increment || value.hasIncrement
                    _ = scan.take(UInt8(ascii: ","))
                    scan.skipBlank()
                }
            }
        }
        hasIncrement = hasIncrement || increment
    }

    private mutating func read(
        _ range: Range<Int>, _ body: (inout PutBodyReader) throws(Refusal) -> WriteValue
    ) throws(Refusal) -> OutlineFinding {
        let piece = UnsafeBufferPointer(rebasing: text[range])
        let value = try PutBodyReader.reading(piece, of: text, from: range.lowerBound, body)
        hasIncrement = hasIncrement || value.hasIncrement
        return value == .null ? .nothing : .whole
    }

    /// Something was read elsewhere that adds to a number.
    mutating func noteIncrement() { hasIncrement = true }

    // MARK: What is large in one piece

    /// The text of a large key. Throws where it is none.
    func key(_ range: Range<Int>, max: Int = WireKey.maxBytes) throws(Refusal) -> String {
        // Each byte takes at most six.
        guard range.count > 6 * max + 2 else {
            guard let text = (try? JSONReader.value(text[range]))?.text else { throw .invalidJSON }
            return text
        }
        try forEachPiece(of: range) { _ in }
        throw .invalidKey(at: range.lowerBound, in: text)
    }

    /// Reads a priority.
    mutating func priority(in range: Range<Int>) throws(Refusal) -> OutlineFinding {
        try pseudo(range, else: .invalidPriority) { reader throws(Refusal) in try reader.priority() }
    }

    /// What is not more than one number or string, or `wrong`.
    private mutating func pseudo(
        _ range: Range<Int>, else wrong: Refusal, _ body: (inout PutBodyReader) throws(Refusal) -> WriteValue
    ) throws(Refusal) -> OutlineFinding {
        guard range.count > OutlineReader.run else { return try read(range, body) }
        if text[range.lowerBound] == UInt8(ascii: "\"") {
            guard wrong != .unknownServerValue else { throw wrong }
            return try scalar(range)
        }
        var marks = 0
        var scan = TextScan(bytes: UnsafeBufferPointer(rebasing: text[..<range.upperBound]), position: range.lowerBound)
        while scan.position < range.upperBound {
            switch text[scan.position] {
            case UInt8(ascii: "\""): guard scan.skipString() else { throw .invalidJSON }
            case UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "["):
                marks += 1
                scan.position += 1
            default: scan.position += 1
            }
        }
        if marks > OutlineReader.maxMarks {
            try OutlineReader.checkSyntax(UnsafeBufferPointer(rebasing: text[range]))
            throw wrong
        }
        return try read(range, body)
    }

    /// Throws where `text` is no JSON.
    static func checkSyntax(_ text: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        // A byte order mark is none of what a body may begin with.
        guard text.first != 0xEF, (try? JSONScanner.value(in: UnsafeRawBufferPointer(text))) != nil else {
            throw .invalidJSON
        }
    }

    /// A large string or number, or what is no value at all.
    private mutating func scalar(_ range: Range<Int>) throws(Refusal) -> OutlineFinding {
        if text[range.lowerBound] == UInt8(ascii: "\"") {
            var count = 0
            try forEachPiece(of: range) { count += $0.utf8.count }
            guard count <= WriteValue.maxString else { throw .stringTooLong }
            return .whole
        }
        // So many digits are beyond any number.
        let digits = text[range].dropFirst(text[range.lowerBound] == UInt8(ascii: "-") ? 1 : 0)
        let isEndless = range.count > OutlineReader.run && digits.allSatisfy { (0x30...0x39).contains($0) }
        guard !isEndless else { throw .invalidJSON }
        try OutlineReader.checkSyntax(UnsafeBufferPointer(rebasing: text[range]))
        return try read(range) { reader throws(Refusal) in try reader.value(depth: 0) }
    }

    /// Hands over a large string in pieces. Throws where it is none.
    func forEachPiece(of range: Range<Int>, _ body: (String) -> Void) throws(Refusal) {
        var start = range.lowerBound + 1
        let end = range.upperBound - 1
        guard end >= start, text[end] == UInt8(ascii: "\"") else { throw .invalidJSON }
        while start < end {
            let next = endOfPiece(start, end)
            let quote = [UInt8(ascii: "\"")]
            guard let piece = (try? JSONReader.value(quote + text[start..<next] + quote))?.text else {
                throw .invalidJSON
            }
            body(piece)
            start = next
        }
    }

    /// Where a piece may end: behind a letter, and not between the two escapes of one.
    private func endOfPiece(_ start: Int, _ end: Int) -> Int {
        var place = start
        while place < end, place - start < run || text[place] & 0xC0 == 0x80 {
            guard text[place] == UInt8(ascii: "\\"), place + 1 < end else {
                place += 1
                continue
            }
            let isFirstOfTwo = isFirstOfTwo(place)
            place += text[place + 1] == UInt8(ascii: "u") ? 6 : 2
            if isFirstOfTwo, place < end, text[place] == UInt8(ascii: "\\") { place += 6 }
        }
        return min(place, end)
    }

    /// Whether an escape is the first half of a letter beyond 16 bits: `\ud8` to `\udb`.
    private func isFirstOfTwo(_ place: Int) -> Bool {
        guard place + 3 < text.count, text[place + 1] == UInt8(ascii: "u") else { return false }
        return text[place + 2] | 0x20 == UInt8(ascii: "d")
            && [UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "b")].contains(
                text[place + 3] | 0x20)
    }
}
