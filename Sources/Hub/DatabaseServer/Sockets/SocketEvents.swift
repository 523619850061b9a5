internal import FirebaseWire
internal import JSONText
internal import NIOCore

/// What listeners over WebSockets are told of, built once for all who listen to the same.
///
/// An event is a message up to what is each listener's own: its length, and its text.
enum SocketEvents {
    enum Kind: String, Sendable {
        case put = "d"
        case merge = "m"
        /// A list of ranges, each with what takes the place of all that the listener has in it.
        case ranges = "rm"
    }

    /// The beginning of a message whose data follow.
    static func opening(_ kind: Kind, at path: WirePath) -> [UInt8] {
        var out = Array(#"{"t":"d","d":{"a":"\#(kind.rawValue)","b":{"p":"#.utf8)
        JSONWriter.append(path.text, to: &out)
        out.append(contentsOf: #","d":"#.utf8)
        return out
    }

    /// What follows the data.
    ///
    /// - Parameter tag: the number that the listener has given to its query.
    static func end(tag: Int?) -> [UInt8] { Array((tag.map { #","t":\#($0)}}}"# } ?? "}}}").utf8) }

    /// One event.
    static func event(_ kind: Kind, at path: WirePath, _ data: [UInt8]) -> [UInt8] {
        let opening = opening(kind, at: path)
        let count = UInt32(opening.count + data.count)
        var out = withUnsafeBytes(of: count.bigEndian) { Array($0) }
        out.reserveCapacity(Int(count) + 4)
        out.append(contentsOf: opening)
        out.append(contentsOf: data)
        return out
    }

    /// Hands over the text of each event in `frames`.
    static func forEach(in frames: ByteBuffer, _ body: (ByteBuffer) -> Void) {
        var frames = frames
        while let count = frames.readInteger(as: UInt32.self), let event = frames.readSlice(length: Int(count)) {
            body(event)
        }
    }
}
