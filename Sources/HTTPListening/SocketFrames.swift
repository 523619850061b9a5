package import NIOCore

/// Writes the frames of a WebSocket as a server sends them.
package enum SocketFrames {
    private static let text: UInt8 = 0x81
    private static let close: UInt8 = 0x88
    /// Lengths from here on take two bytes, and from the next on eight.
    private static let (medium, large) = (126, 65_536)

    /// Appends one text message.
    ///
    /// - Parameter bytes: UTF-8.
    package static func append(_ bytes: ArraySlice<UInt8>, to out: inout ByteBuffer) {
        out.writeInteger(text)
        if bytes.count < medium {
            out.writeInteger(UInt8(bytes.count))
        } else if bytes.count < large {
            out.writeInteger(UInt8(126))
            out.writeInteger(UInt16(bytes.count))
        } else {
            out.writeInteger(UInt8(127))
            out.writeInteger(UInt64(bytes.count))
        }
        out.writeBytes(bytes)
    }

    /// Appends the frame that ends a connection; nothing may follow it.
    package static func appendClose(_ reason: SocketEnd, to out: inout ByteBuffer) {
        out.writeInteger(close)
        out.writeInteger(UInt8(2))
        out.writeInteger(reason.code)
    }
}

/// Why a WebSocket ends. Sent as an outbound event over its channel, it is what the last frame says.
package struct SocketEnd: Hashable, Sendable {
    /// As in RFC 6455, section 7.4.
    package let code: UInt16

    package init(code: UInt16) { self.code = code }

    package static let normal = SocketEnd(code: 1000)
    package static let goingAway = SocketEnd(code: 1001)
    package static let protocolError = SocketEnd(code: 1002)
    package static let notText = SocketEnd(code: 1003)
    package static let invalidText = SocketEnd(code: 1007)
    package static let tooSlow = SocketEnd(code: 1008)
    package static let tooBig = SocketEnd(code: 1009)
    package static let tryAgainLater = SocketEnd(code: 1013)
}

/// What whoever reads a WebSocket waits for. Sent as an outbound event over its channel, it says whether what comes has
/// to come at the rate of a body.
package enum SocketWait: Sendable {
    /// The next message, which comes when it comes.
    case next
    /// More of a message that has come in part.
    case more
}
