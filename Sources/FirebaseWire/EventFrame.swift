internal import JSONText

/// Writes the frames of an event stream (`text/event-stream`).
package enum EventFrame {
    package enum Name: String, Sendable {
        case put, patch, cancel
        case keepAlive = "keep-alive"
        case authRevoked = "auth_revoked"
    }

    /// A `put` or `patch` up to its data: `event: put\ndata: {"path":"/x","data":`. The data's JSON text follows, then
    /// ``end``.
    package static func opening(_ name: Name, at path: WirePath) -> [UInt8] {
        var out: [UInt8] = []
        out.append(contentsOf: "event: \(name.rawValue)\ndata: {\"path\":".utf8)
        JSONWriter.append(path.description, to: &out)
        out.append(contentsOf: ",\"data\":".utf8)
        return out
    }

    /// What follows the data of a frame begun by ``opening(_:at:)``.
    package static let end = Array("}\n\n".utf8)

    /// A whole `put` or `patch`. `data` is JSON text without line breaks.
    package static func change(_ name: Name, at path: WirePath, data: some Sequence<UInt8>) -> [UInt8] {
        var out = opening(name, at: path)
        out.append(contentsOf: data)
        out.append(contentsOf: end)
        return out
    }

    /// A frame whose data is bare text, as `keep-alive`, `cancel` and `auth_revoked` have it.
    package static func notice(_ name: Name, _ text: String = "null") -> [UInt8] {
        Array("event: \(name.rawValue)\ndata: \(text)\n\n".utf8)
    }
}
