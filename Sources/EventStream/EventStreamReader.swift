/// Takes apart the text of an event stream (`text/event-stream`) as it arrives, without keeping what it has seen.
///
/// Lines end with LF, CRLF or CR; bytes may be cut anywhere. The data of an event is handed out in the pieces in
/// which it came, so an event may be larger than memory; only data that comes before its event's name is kept, up to
/// a limit. An event without data is dropped, and so is one that the stream ends in.
package struct EventStreamReader: Sendable {
    package enum Part: Equatable {
        /// An event with this name; `message` where it has none.
        case began(name: String)
        /// Some bytes of its data; lines are joined by LF.
        case data(ArraySlice<UInt8>)
        case ended
    }

    private enum Position {
        /// In a field's name, or at the start of a line.
        case name
        /// After a field's colon: one space is left out.
        case space
        /// In the value of a field that counts.
        case value
        /// In a comment or a field that means nothing here.
        case ignored
    }

    private enum Field { case event, data }

    private static let nameLimit = 1024

    private let earlyLimit: Int
    private var position = Position.name
    private var field = Field.data
    private var afterReturn = false
    private var fieldName: [UInt8] = []
    private var eventName: [UInt8]?
    private var newName: [UInt8] = []
    /// Data that came before the event's name.
    private var early: [UInt8] = []
    private var hasData = false
    private var handsOut = false

    /// - Parameter earlyLimit: the bytes that may come before the name of their event, or without one; 1 MiB.
    package init(earlyLimit: Int = 1 << 20) { self.earlyLimit = earlyLimit }

    /// Reads the next bytes of the stream and hands out what is in them, in order.
    package mutating func read(
        _ bytes: ArraySlice<UInt8>, _ emit: (Part) throws -> Void
    ) throws {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if afterReturn {
                afterReturn = false
                if byte == UInt8(ascii: "\n") {
                    index += 1
                    continue
                }
            }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                afterReturn = byte == UInt8(ascii: "\r")
                index += 1
                try endLine(emit)
            } else {
                index = try readInLine(bytes, at: index, emit)
            }
        }
    }

    /// Reads from one byte that ends no line; returns where to go on.
    private mutating func readInLine(
        _ bytes: ArraySlice<UInt8>, at index: Int, _ emit: (Part) throws -> Void
    ) throws -> Int {
        switch position {
        case .name:
            if bytes[index] == UInt8(ascii: ":") {
                try endFieldName(emit)
            } else {
                guard fieldName.count < Self.nameLimit else { throw EventStreamError("a field name is too long") }
                fieldName.append(bytes[index])
            }
            return index + 1
        case .space:
            position = .value
            return bytes[index] == UInt8(ascii: " ") ? index + 1 : index
        case .value, .ignored:
            let end = Self.endOfLine(bytes, from: index)
            if position == .value { try take(bytes[index..<end], emit) }
            return end
        }
    }

    /// Whether one of eight bytes is `byte`.
    private static func has(_ byte: UInt8, in word: UInt64) -> Bool {
        // That one becomes 0, and only of a 0 does taking 1 away set the topmost bit that was not set.
        let difference = word ^ UInt64(byte) &* 0x0101_0101_0101_0101
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080 != 0
    }

    private static func endOfLine(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            var index = start - bytes.startIndex
            let raw = UnsafeRawBufferPointer(buffer)
            while index + 8 <= raw.count {
                let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                guard !Self.has(0x0A, in: word), !Self.has(0x0D, in: word) else { break }
                index += 8
            }
            while index < buffer.count, buffer[index] != 0x0A, buffer[index] != 0x0D { index += 1 }
            return index + bytes.startIndex
        }
    }

    /// The colon after a field's name, or the end of a line that has none.
    private mutating func endFieldName(_ emit: (Part) throws -> Void) throws {
        if fieldName.starts(with: [0xEF, 0xBB, 0xBF]) { fieldName.removeFirst(3) }
        switch String(decoding: fieldName, as: UTF8.self) {
        case "data":
            (field, position) = (.data, .space)
            try beginData(emit)
        case "event":
            (field, position) = (.event, .space)
            newName = []
        default: position = .ignored
        }
        fieldName.removeAll(keepingCapacity: true)
    }

    private mutating func beginData(_ emit: (Part) throws -> Void) throws {
        if hasData { return try append([UInt8(ascii: "\n")], emit) }
        hasData = true
        guard let eventName else { return }
        handsOut = true
        try emit(.began(name: String(decoding: eventName, as: UTF8.self)))
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, _ emit: (Part) throws -> Void) throws {
        switch field {
        case .data: try append(bytes, emit)
        case .event:
            guard newName.count + bytes.count <= Self.nameLimit else {
                throw EventStreamError("an event's name is too long")
            }
            newName += bytes
        }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, _ emit: (Part) throws -> Void) throws {
        if handsOut { return try emit(.data(bytes)) }
        guard early.count + bytes.count <= earlyLimit else {
            throw EventStreamError("more than \(earlyLimit) bytes of data came before the name of its event")
        }
        early += bytes
    }

    private mutating func endLine(_ emit: (Part) throws -> Void) throws {
        if position == .name {
            if fieldName.isEmpty { return try endEvent(emit) }
            try endFieldName(emit)
        }
        if field == .event, position != .ignored, !handsOut { eventName = newName }
        position = .name
    }

    private mutating func endEvent(_ emit: (Part) throws -> Void) throws {
        defer {
            eventName = nil
            hasData = false
            handsOut = false
            early = []
        }
        guard hasData else { return }
        if !handsOut {
            try emit(.began(name: eventName.map { String(decoding: $0, as: UTF8.self) } ?? "message"))
            if !early.isEmpty { try emit(.data(early[...])) }
        }
        try emit(.ended)
    }
}
