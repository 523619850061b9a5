internal import FirebaseWire
internal import JSONText

/// Reads the text of a large value piece by piece, so that never all of it is there in more than one form.
package struct LargeValueReader {
    /// What has more bytes is cut.
    package static let large = 256 * 1024
    /// So many bytes are read together.
    package static let run = 64 * 1024

    package private(set) var hasPriorities = false
    /// Whether something in what was read adds to a number that is there.
    package private(set) var hasIncrement = false
    private let text: UnsafeBufferPointer<UInt8>
    private let large: Int
    private let run: Int

    package init(_ text: UnsafeBufferPointer<UInt8>, large: Int = large, run: Int = run) {
        self.text = text
        self.large = large
        self.run = run
    }

    /// Reads all of the text, which is to be stored `depth` levels below the root. Throws a refusal (400).
    package mutating func value(depth: Int) throws(Refusal) -> PendingValue {
        try value(in: LargeValueReader.trimmed(text), depth: depth)
    }

    /// The place of a value without the blanks around it.
    static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let start = text.firstIndex { !TextScan.isBlank($0) } ?? text.count
        let last = text.lastIndex { !TextScan.isBlank($0) } ?? start
        return start..<max(start, min(text.count, last + 1))
    }

    mutating func value(in range: Range<Int>, depth: Int) throws(Refusal) -> PendingValue {
        guard range.count > large, var cut = MemberCut(text, in: range, size: run)
        else { return try whole(range, depth) }
        guard depth < WirePath.maxDepth else { throw .tooDeep }
        var parts = Parts(isArray: text[range.lowerBound] == UInt8(ascii: "["))
        while let piece = cut.next() {
            guard try read(piece, depth + 1, into: &parts) else { return try whole(range, depth) }
        }
        guard cut.isFinished else { throw .invalidJSON }
        return parts.value
    }

    /// False where only the reader of the whole object can say what it is, because it has a value of its own.
    private mutating func read(
        _ piece: MemberCut.Piece, _ depth: Int, into parts: inout Parts
    ) throws(Refusal) -> Bool {
        switch piece {
        case .run(let range):
            return try members(range, isArray: parts.isArray, depth) { key, value, hasServerValues in
                parts.set(key, PendingValue(value, hasServerValues: hasServerValues))
            }
        case .large(nil, let range):
            parts.set(nil, try value(in: range, depth: depth))
            return true
        case .large(let name?, let range):
            // The key is read as that of a member without a value.
            var key: WireKey?
            let isPlain = try keyOnly(name, depth) { key = $0 }
            guard isPlain, let key, key != .priority else { return false }
            parts.set(key, try value(in: range, depth: depth))
            return true
        }
    }

    private mutating func members(
        _ range: Range<Int>, isArray: Bool, _ depth: Int, _ body: (WireKey?, WriteValue, Bool) -> Void
    ) throws(Refusal) -> Bool {
        try read([UInt8](enclosing: text[range], isArray: isArray), from: range.lowerBound - 1, depth, body)
    }

    private mutating func keyOnly(
        _ name: Range<Int>, _ depth: Int, _ body: (WireKey?) -> Void
    ) throws(Refusal) -> Bool {
        try read([UInt8](deleting: text[name]), from: name.lowerBound - 1, depth) { key, _, _ in body(key) }
    }

    /// - Parameter start: where in the text the piece begins, for those who are told of a bad key.
    private mutating func read(
        _ piece: [UInt8], from start: Int, _ depth: Int, _ body: (WireKey?, WriteValue, Bool) -> Void
    ) throws(Refusal) -> Bool {
        var (priorities, increment) = (false, false)
        let whole = text
        let isPlain = try piece.asText { bytes throws(Refusal) in
            try PutBodyReader.reading(bytes, of: whole, from: start) { reader throws(Refusal) in
                defer { priorities = reader.hasPriorities }
                return try reader.forEachMember(depth: depth) { key, value in
                    let hasServerValues = value.hasServerValues
                    increment = increment || hasServerValues && value.hasIncrement
                    body(key, value, hasServerValues)
                }
            }
        }
        hasPriorities = hasPriorities || priorities
        hasIncrement = hasIncrement || increment
        return isPlain
    }

    private mutating func whole(_ range: Range<Int>, _ depth: Int) throws(Refusal) -> PendingValue {
        let body = try PutBody(UnsafeBufferPointer(rebasing: text[range]), depth: depth)
        hasPriorities = hasPriorities || body.hasPriorities
        hasIncrement = hasIncrement || body.hasServerValues && body.value.hasIncrement
        return PendingValue(body.value, hasServerValues: body.hasServerValues)
    }
}

extension LargeValueReader {
    /// The children of one object or array, as far as they are read.
    private struct Parts {
        let isArray: Bool
        private var count = 0
        private var ready = Children()
        private var others: [WireKey: PendingValue] = [:]

        init(isArray: Bool) { self.isArray = isArray }

        /// Of equal keys the last one counts. Elements of an array have none.
        mutating func set(_ key: WireKey?, _ value: PendingValue) {
            let key = key ?? WireKey(unchecked: String(count))
            count += 1
            if case .node(let node) = value {
                ready.update(key) { $0 = node }
                if !others.isEmpty { others.removeValue(forKey: key) }
            } else {
                ready.update(key) { $0 = nil }
                others[key] = value
            }
        }

        var value: PendingValue { others.isEmpty ? .node(Node(ready)) : .parts(ready, others) }
    }
}
