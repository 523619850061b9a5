internal import HTTPListening
internal import NIOCore

/// Cuts the text of a message into pieces that a client library takes, never inside of a character.
struct SocketPieces: Sendable {
    /// In bytes, so that the pieces are also small enough in UTF-16 units.
    static let size = FrameAssembly.pieceSize

    private var rest: [UInt8] = []

    /// Appends the frames of a whole message.
    static func append(_ text: [UInt8], to out: inout ByteBuffer) {
        guard text.count > size else { return SocketFrames.append(text[...], to: &out) }
        var frames = ByteBuffer()
        var pieces = SocketPieces()
        var count = 0
        pieces.take(text[...]) { piece in
            count += 1
            SocketFrames.append(piece, to: &frames)
        }
        if let last = pieces.finish() {
            count += 1
            SocketFrames.append(last, to: &frames)
        }
        appendCount(count, to: &out)
        out.writeBuffer(&frames)
    }

    /// Appends the frame that says how many pieces follow.
    static func appendCount(_ count: Int, to out: inout ByteBuffer) {
        SocketFrames.append(Array(String(count).utf8)[...], to: &out)
    }

    /// Takes the next part of the text, and hands over the pieces that are full.
    mutating func take(_ text: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
        rest.append(contentsOf: text)
        var start = 0
        while rest.count - start > SocketPieces.size {
            var end = start + SocketPieces.size
            // No character has more than three bytes behind its first.
            while end > start, rest[end] & 0xC0 == 0x80 { end -= 1 }
            body(rest[start..<end])
            start = end
        }
        rest.removeFirst(start)
    }

    /// The last piece; nil where there is none.
    mutating func finish() -> ArraySlice<UInt8>? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest[...]
    }
}
