import Foundation
import JSONText
import NIOCore
import SyncModel
import TestSupport

@testable import DatabaseServer

/// A client of one session, written from what client libraries do.
final class SocketClient {
    /// The size of the pieces that are sent, in UTF-16 units, and of those that may come, in bytes.
    static let pieceSize = 16_384

    /// The head of the answer to the first request.
    private(set) var head = ""
    /// What the server has said first: `ts`, `v`, `h` and `s`.
    private(set) var hello: [String: JSONValue] = [:]
    /// How many pieces the last message had.
    private(set) var pieces = 1
    /// Why the server has closed.
    private(set) var closed: Int?
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var bytes = ByteBuffer()
    private var pushes: [JSONValue] = []
    private var lastRequest = 0

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// Asks for a session. ``head`` says whether there is one.
    func open(_ target: String, _ host: String, _ fields: String) async throws {
        try await outbound.write(
            ByteBuffer(
                string: "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(fields)\r\n"))
        while !head.hasSuffix("\r\n\r\n") {
            if bytes.readableBytes == 0 { try await read() }
            head += bytes.readString(length: 1) ?? ""
        }
        guard head.hasPrefix("HTTP/1.1 101 ") else { return }
        hello = try await message()?["d"]?["d"]?.members ?? [:]
    }

    // MARK: Sending

    /// Sends a request, and returns its number.
    @discardableResult
    func send(_ action: String, _ body: String) async throws -> Int {
        lastRequest += 1
        try await sendPieces(#"{"t":"d","d":{"r":\#(lastRequest),"a":"\#(action)","b":\#(body)}}"#)
        return lastRequest
    }

    private func sendPieces(_ text: String) async throws {
        var pieces = [""]
        var count = 0
        for scalar in text.unicodeScalars {
            count += scalar.utf16.count
            if count > SocketClient.pieceSize {
                pieces.append("")
                count = scalar.utf16.count
            }
            pieces[pieces.count - 1].unicodeScalars.append(scalar)
        }
        if pieces.count > 1 { try await frame(String(pieces.count)) }
        for piece in pieces { try await frame(piece) }
    }

    /// Sends one frame as it is.
    func frame(_ text: String, opcode: UInt8 = 1, isLast: Bool = true, isMasked: Bool = true) async throws {
        let data = Array(text.utf8)
        var frame = ByteBuffer(bytes: [(isLast ? 0x80 : 0) | opcode])
        let mask: UInt8 = isMasked ? 0x80 : 0
        if data.count < 126 {
            frame.writeInteger(mask | UInt8(data.count))
        } else if data.count < 65_536 {
            frame.writeInteger(mask | 126)
            frame.writeInteger(UInt16(data.count))
        } else {
            frame.writeInteger(mask | 127)
            frame.writeInteger(UInt64(data.count))
        }
        let key: [UInt8] = isMasked ? [0x37, 0xFA, 0x21, 0x3D] : [0, 0, 0, 0]
        if isMasked { frame.writeBytes(key) }
        frame.writeBytes(data.enumerated().map { $0.element ^ key[$0.offset % 4] })
        try await outbound.write(frame)
    }

    // MARK: Receiving

    /// The body of the answer to a request; what is pushed meanwhile waits for ``push()``.
    func ask(_ action: String, _ body: String) async throws -> String {
        let number = try await send(action, body)
        return try await answer(number)
    }

    func answer(_ number: Int) async throws -> String {
        while let message = try await message() {
            guard let data = message["d"], data["r"] == .integer(Int64(number)) else {
                pushes.append(message)
                continue
            }
            return data["b"].map { JSONWriter.string($0) } ?? "none"
        }
        return "closed"
    }

    /// Whether something waits for ``push()`` that has come before an answer.
    var hasPushes: Bool { !pushes.isEmpty }

    /// The next message that answers nothing: `d {…}`, or `c h {…}` for one about the connection.
    func push() async throws -> String {
        let next: JSONValue?
        if pushes.isEmpty { next = try await message() } else { next = pushes.removeFirst() }
        guard let message = next, let data = message["d"] else { return "closed" }
        guard message["t"] == "d" else {
            return "c \(data["t"]?.text ?? "") \(data["d"].map { JSONWriter.string($0) } ?? "")"
        }
        return "\(data["a"]?.text ?? "") \(data["b"].map { JSONWriter.string($0) } ?? "")"
    }

    /// The next message; nil when the server has closed.
    func message() async throws -> JSONValue? {
        guard var text = try await self.text() else { return nil }
        pieces = 1
        if text.count <= 6, let count = Int(text) {
            text = ""
            pieces = count
            for _ in 0..<count {
                guard let piece = try await self.text(), piece.utf8.count <= SocketClient.pieceSize else { return nil }
                text += piece
            }
        }
        return try JSONReader.value(Array(text.utf8))
    }

    /// The next text; pings are answered.
    private func text() async throws -> String? {
        while let (opcode, data) = try await received() {
            switch opcode {
            case 1: return String(buffer: data)
            case 8: closed = data.getInteger(at: data.readerIndex, as: UInt16.self).map(Int.init) ?? 1005
            case 9: try await frame(String(buffer: data), opcode: 10)
            default: continue
            }
            if closed != nil { return nil }
        }
        return nil
    }

    /// The next frame of any kind; nil where there is none before the connection closes.
    func received() async throws -> (opcode: UInt8, data: ByteBuffer)? {
        while true {
            if let frame = taken() { return frame }
            guard try await read() else { return nil }
        }
    }

    private func taken() -> (opcode: UInt8, data: ByteBuffer)? {
        var rest = bytes
        guard let first = rest.readInteger(as: UInt8.self), let second = rest.readInteger(as: UInt8.self) else {
            return nil
        }
        var count = Int(second)
        if second == 126 {
            guard let long = rest.readInteger(as: UInt16.self) else { return nil }
            count = Int(long)
        } else if second == 127 {
            guard let long = rest.readInteger(as: UInt64.self) else { return nil }
            count = Int(long)
        }
        guard let data = rest.readSlice(length: count) else { return nil }
        bytes = rest
        return (first & 0x0F, data)
    }

    @discardableResult
    private func read() async throws -> Bool {
        guard var chunk = try await inbound.next() else {
            guard head.hasSuffix("\r\n\r\n") else { throw TooLate("the server closed before it answered") }
            return false
        }
        bytes.writeBuffer(&chunk)
        return true
    }
}

extension JSONValue {
    subscript(key: String) -> JSONValue? { members?[key] }
}

extension TestClient {
    /// Lends `body` a session; where it returns, the connection is cut without a word.
    func withSocket<Result>(
        _ query: String = "v=5&ns=demo", host: String? = nil, fields: String = "",
        _ body: (SocketClient) async throws -> Result
    ) async throws -> Result {
        try await connect(to: address()).executeThenClose { inbound, outbound in
            let client = SocketClient(inbound, outbound)
            try await client.open("/.ws?\(query)", host ?? authority, fields)
            return try await body(client)
        }
    }
}
