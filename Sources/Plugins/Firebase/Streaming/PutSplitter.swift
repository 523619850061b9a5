internal import EventStream
internal import FirebaseWire
internal import JSONText
internal import SyncModel

/// Takes apart the data of one `put` or `patch` event (`{"path":…,"data":…}`) as it arrives, walking every byte once.
///
/// Where the data is an object or an array at the path `/`, its children are handed out one by one as soon as each
/// is complete, so memory is bounded by one child however large the event is. Any other data is handed out whole.
/// By hand, because simdjson needs the whole text, and an event may be larger than memory.
///
/// Where `path` comes after `data`, the data is kept until then, up to 64 MiB.
struct PutSplitter: Sendable {
    enum Part: Equatable {
        /// The data at `/` is an object, or an array whose indices are its keys.
        case opened(isArray: Bool)
        case child(key: String, JSONExcerpt)
        case closed
        /// The data is no object or array, or lies below `/`.
        case value(path: String, JSONExcerpt)
    }

    private enum Level { case envelope, object, array }
    private enum Purpose { case path, data, child, ignored }

    private enum State {
        /// Before the first brace.
        case start
        /// Before a key, an element or, directly after the opening bracket, the closing one.
        case member(first: Bool)
        case key(escaped: Bool)
        case colon
        /// Before the first byte of a value.
        case valueStart
        case value
        /// Before a comma or a closing bracket.
        case afterValue
        /// After the last brace.
        case done
    }

    private static let earlyLimit = 64 << 20
    private static let keyLimit = 4096

    private let limit: Int
    private var state = State.start
    private var level = Level.envelope
    private var purpose = Purpose.ignored
    private var key: [UInt8] = []
    private var index = 0
    private var path: String?
    private var early: JSONExcerpt?
    private var scanner = JSONValueScanner()
    private var excerpt: [UInt8] = []
    private var excerptLength = 0

    /// - Parameter limit: the size in bytes up to which a child or a value is kept.
    init(limit: Int = JSONExcerpt.limit) { self.limit = limit }

    /// Reads the next bytes of the data, and hands out what is complete.
    mutating func read(_ bytes: ArraySlice<UInt8>, _ emit: (Part) throws -> Void) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            var position = 0
            while position < buffer.count { position = try step(buffer, position, emit) }
        }
    }

    /// The event's data is over.
    ///
    /// - Throws: ``EventStreamError`` where something is missing.
    mutating func end(_ emit: (Part) throws -> Void) throws {
        guard case .done = state else { throw EventStreamError("an event's data ends too early") }
        guard let early else { return }
        guard let path else { throw EventStreamError("an event has no path") }
        guard path == "/", case .text(let text) = early else { return try emit(.value(path: path, early)) }
        try PutSplitter.parts(of: text, limit: limit, emit)
    }

    private mutating func step(
        _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ emit: (Part) throws -> Void
    ) throws -> Int {
        let byte = bytes[position]
        switch state {
        case .key(let escaped): return try readKey(bytes, position, escaped)
        case .value: return try readValue(bytes, position, emit)
        case _ where byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09: return position + 1
        case .start:
            guard byte == UInt8(ascii: "{") else { throw unexpected(byte) }
            state = .member(first: true)
            return position + 1
        case .member(let first): return try readMember(byte, position, first, emit)
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw unexpected(byte) }
            state = .valueStart
            return position + 1
        case .valueStart: return try beginValue(byte, position, emit)
        case .afterValue:
            if byte == UInt8(ascii: ",") { state = .member(first: false) } else { try close(byte, emit) }
            return position + 1
        case .done: throw unexpected(byte)
        }
    }

    private mutating func readMember(
        _ byte: UInt8, _ position: Int, _ first: Bool, _ emit: (Part) throws -> Void
    ) throws -> Int {
        if first, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
            try close(byte, emit)
            return position + 1
        }
        if level == .array {
            state = .valueStart
            return position
        }
        guard byte == UInt8(ascii: "\"") else { throw unexpected(byte) }
        key.removeAll(keepingCapacity: true)
        state = .key(escaped: false)
        return position + 1
    }

    private mutating func readKey(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ escaped: Bool) throws -> Int {
        var (end, escaped) = (position, escaped)
        while end < bytes.count, escaped || bytes[end] != UInt8(ascii: "\"") {
            escaped = !escaped && bytes[end] == UInt8(ascii: "\\")
            end += 1
        }
        guard key.count + end - position <= Self.keyLimit else {
            throw EventStreamError("a key is longer than 4096 bytes")
        }
        key.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[position..<end]))
        guard end < bytes.count else {
            state = .key(escaped: escaped)
            return end
        }
        state = .colon
        return end + 1
    }

    /// Decides at its first byte what a value is for; leaves the byte, unless it opens the children.
    private mutating func beginValue(
        _ byte: UInt8, _ position: Int, _ emit: (Part) throws -> Void
    ) throws -> Int {
        purpose = .child
        if level == .envelope {
            switch try keyText() {
            case "path": purpose = .path
            case "data": purpose = .data
            default: purpose = .ignored
            }
            if purpose == .data, path == "/", byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                level = byte == UInt8(ascii: "[") ? .array : .object
                index = 0
                state = .member(first: true)
                try emit(.opened(isArray: level == .array))
                return position + 1
            }
        }
        scanner = JSONValueScanner()
        excerpt = []
        excerptLength = 0
        state = .value
        return position
    }

    private mutating func readValue(
        _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ emit: (Part) throws -> Void
    ) throws -> Int {
        let (end, isComplete) = scanner.scan(bytes, from: position)
        excerptLength += end - position
        let kept = purpose == .data && path == nil ? Self.earlyLimit : limit
        if purpose == .ignored || excerptLength > kept {
            excerpt = []
        } else {
            excerpt.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[position..<end]))
        }
        if isComplete {
            guard excerptLength > 0 else { throw unexpected(bytes[end]) }
            try endValue(excerptLength > kept ? .tooLong(bytes: excerptLength) : .text(excerpt), emit)
            state = .afterValue
        }
        return end
    }

    private mutating func endValue(_ value: JSONExcerpt, _ emit: (Part) throws -> Void) throws {
        switch purpose {
        case .ignored: break
        case .path:
            guard case .text(let text) = value, case .string(let path)? = try? JSONReader.value(text) else {
                throw EventStreamError("an event's path is not a string")
            }
            self.path = path
        case .data:
            if let path { return try emit(.value(path: path, value)) }
            if case .tooLong = value { throw EventStreamError("more than 64 MiB of data came before its path") }
            early = value
        case .child:
            if level == .array {
                try emit(.child(key: String(index), value))
                index += 1
            } else {
                try emit(.child(key: keyText(), value))
            }
        }
    }

    private mutating func close(_ byte: UInt8, _ emit: (Part) throws -> Void) throws {
        guard byte == (level == .array ? UInt8(ascii: "]") : UInt8(ascii: "}")) else { throw unexpected(byte) }
        if level == .envelope {
            state = .done
        } else {
            level = .envelope
            state = .afterValue
            try emit(.closed)
        }
    }

    private func keyText() throws -> String {
        if key.offset(of: UInt8(ascii: "\\")) == nil {
            guard let text = String(validating: key, as: UTF8.self) else {
                throw EventStreamError("a key is not UTF-8")
            }
            return text
        }
        let quote = [UInt8(ascii: "\"")]
        guard case .string(let text)? = try? JSONReader.value(quote + key + quote) else {
            throw EventStreamError("a key is not a JSON string")
        }
        return text
    }

    private func unexpected(_ byte: UInt8) -> EventStreamError {
        EventStreamError("an event's data is not JSON: a byte 0x\(String(byte, radix: 16)) is in the wrong place")
    }
}
