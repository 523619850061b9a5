internal import HTTPListening
internal import NIOCore

/// Puts messages together that come in pieces.
///
/// A frame that is a number of up to six digits says how many pieces the next message has; `0` is a sign of life. Any
/// other frame is a message by itself.
struct FrameAssembly: Sendable {
    enum Step: Equatable, Sendable {
        /// There is nothing to be done yet.
        case none
        case message(ByteBuffer)
        case broken(SocketEnd)
    }

    /// How large the pieces of the client libraries are, in UTF-16 units.
    static let pieceSize = 16_384
    /// So many pieces are always taken, however small.
    private static let smallPieces = 1024
    private static let maxDigits = 6

    private let limit: Int
    private var rest = 0
    private var begun = ByteBuffer()

    /// - Parameter limit: the most bytes of a message.
    init(limit: Int) { self.limit = limit }

    /// Whether pieces are missing.
    var isBegun: Bool { rest > 0 }

    mutating func take(_ frame: ByteBuffer) -> Step {
        guard isBegun else {
            guard let count = FrameAssembly.count(frame) else {
                return frame.readableBytes > limit ? .broken(.tooBig) : .message(frame)
            }
            guard count <= max(FrameAssembly.smallPieces, limit / FrameAssembly.pieceSize + 1) else {
                return .broken(.tooBig)
            }
            rest = count
            return .none
        }
        guard begun.readableBytes + frame.readableBytes <= limit else { return .broken(.tooBig) }
        begun.writeImmutableBuffer(frame)
        rest -= 1
        guard rest == 0 else { return .none }
        defer { begun = ByteBuffer() }
        return .message(begun)
    }

    /// The number that `frame` is; nil for any other text.
    private static func count(_ frame: ByteBuffer) -> Int? {
        let bytes = frame.readableBytesView
        guard !bytes.isEmpty, bytes.count <= maxDigits, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(String(decoding: bytes, as: UTF8.self))
    }
}
