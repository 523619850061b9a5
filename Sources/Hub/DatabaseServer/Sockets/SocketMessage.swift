internal import DatabaseTree
internal import FirebaseWire
internal import JSONText
internal import NIOCore
internal import SyncModel

/// A message of a client.
enum SocketMessage: Sendable {
    /// Wants to be told that the connection lives.
    case ping
    /// About the connection, and of no consequence.
    case notice
    case request(SocketRequest)

    /// Nil for what is no message.
    init?(_ bytes: ByteBuffer) {
        guard let message = SocketFields(bytes), let layer = message.text("t") else { return nil }
        switch layer {
        case "c":
            guard let control = message.fields("d") else { return nil }
            self = control.text("t") == "p" ? .ping : .notice
        case "d":
            guard let request = message.fields("d").flatMap({ SocketRequest($0) }) else { return nil }
            self = .request(request)
        default: return nil
        }
    }
}

/// What a client asks for.
struct SocketRequest: Sendable {
    /// By which the answer is known; without it nobody waits for one.
    let number: Int?
    let action: String
    let body: SocketFields

    init?(_ fields: SocketFields) {
        guard let action = fields.text("a") else { return nil }
        self.action = action
        number = fields.integer("r")
        // Who asks by a number that can't be read would wait for good.
        guard number != nil || fields.json("r") == nil else { return nil }
        body = fields.fields("b") ?? SocketFields()
    }

    /// The place that it is about. Throws a refusal (400).
    func path() throws(Refusal) -> WirePath {
        guard let text = try body.readable("p")?.text else { throw .badRequest("Invalid path: p is missing") }
        var segments = text.pieces(between: "/")
        let isPriority = segments.last == ".priority"
        if isPriority { segments.removeLast() }
        var keys: [WireKey] = []
        for segment in segments {
            guard let key = WireKey(segment) else { throw .invalidPath }
            keys.append(key)
        }
        guard keys.count <= WirePath.maxDepth else { throw .tooDeep }
        return WirePath(isPriority ? keys + [.priority] : keys)
    }
}

/// The members of an object, by where they stand in the text of a message.
struct SocketFields: Sendable {
    private var text = ByteBuffer()
    private var members: [String: Range<Int>] = [:]

    /// No members.
    init() {}

    /// Reads a whole text; nil where it is no object in JSON.
    init?(_ text: ByteBuffer) {
        let place = text.withUnsafeReadableBytes { try? JSONScanner.value(in: $0).place }
        guard let place else { return nil }
        self.init(text, at: place)
    }

    /// - Parameter place: of a value in text that was checked.
    private init?(_ text: ByteBuffer, at place: Range<Int>) {
        let found = text.withUnsafeReadableBytes { bytes -> [JSONScanner.Member]? in
            guard bytes[place.lowerBound] == UInt8(ascii: "{") else { return nil }
            return try? JSONScanner.members(at: place, in: bytes)
        }
        guard let found else { return nil }
        self.text = text
        // Of two equal keys the last one counts.
        for member in found { members[String(decoding: member.key, as: UTF8.self)] = member.value }
    }

    /// The text of a member; nil where it is missing.
    func json(_ name: String) -> ByteBuffer? {
        members[name].flatMap { text.getSlice(at: text.readerIndex + $0.lowerBound, length: $0.count) }
    }

    /// Nil where a member is missing or can't be read. A whole number beyond 64 bits is a double, as in a URL.
    func value(_ name: String) -> JSONValue? {
        json(name).flatMap { text in
            text.withUnsafeReadableBytes { bytes in
                try? JSONReader.value(bytes.bindMemory(to: UInt8.self))
            }
        }
    }

    /// The same of a member without which the request would mean something else: throws a refusal (400) where it is
    /// there and can't be read.
    func readable(_ name: String) throws(Refusal) -> JSONValue? {
        if let value = value(name) { return value }
        guard json(name) == nil else { throw .badRequest("Invalid request: \(name) can't be read") }
        return nil
    }

    func text(_ name: String) -> String? { value(name)?.text }

    func integer(_ name: String) -> Int? {
        switch value(name) {
        case .integer(let number): Int(number)
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    func truth(_ name: String) -> Bool { value(name) == .bool(true) }

    /// The members of a member; nil where it is no object.
    func fields(_ name: String) -> SocketFields? { members[name].flatMap { SocketFields(text, at: $0) } }
}
