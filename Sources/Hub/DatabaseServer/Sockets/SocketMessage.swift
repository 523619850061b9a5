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
        let message = bytes.withUnsafeReadableBytes { SocketFields(whole: $0) }
        guard let message, let layer = message.text("t") else { return nil }
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
        body = fields.fields("b") ?? SocketFields()
    }

    /// The place that it is about. Throws a refusal (400).
    func path() throws(Refusal) -> WirePath {
        guard let text = body.text("p") else { throw .badRequest("Invalid path: p is missing") }
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

/// The members of an object as the text that they stand in.
struct SocketFields: Sendable {
    private var members: [String: [UInt8]] = [:]

    /// No members.
    init() {}

    /// Reads a whole text; nil where it is no object in JSON.
    init?(whole text: UnsafeRawBufferPointer) {
        guard let place = try? JSONOutline.value(in: text).place else { return nil }
        self.init(text, at: place)
    }

    /// - Parameter place: of a value in text that was checked.
    private init?(_ text: UnsafeRawBufferPointer, at place: Range<Int>) {
        guard text[place.lowerBound] == UInt8(ascii: "{"),
            let found = try? JSONOutline.members(at: place, in: text)
        else { return nil }
        for member in found {
            members[String(decoding: member.key, as: UTF8.self)] = Array(text[member.value])
        }
    }

    /// The text of a member; nil where it is missing.
    func json(_ name: String) -> [UInt8]? { members[name] }

    func value(_ name: String) -> JSONValue? { members[name].flatMap { try? JSONReader.value($0) } }

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
    func fields(_ name: String) -> SocketFields? {
        members[name].flatMap { text in text.withUnsafeBytes { SocketFields(whole: $0) } }
    }
}
