import ControlAPI
import ControlTestSupport
import Foundation
import JSONText
import NIOCore
import TestSupport

extension FuzzTarget {
    /// Bytes on the control socket.
    static let controlSocket = FuzzTarget(
        "controlSocket",
        seeds: [
            request("GET", "/v1/status"), request("GET", "/v1/records/movies?where=title%3DA&limit=3&after=x"),
            request("GET", "/v1/records/movies/6f?wait=0"), request("POST", "/v1/holds/7/approve"),
            request("POST", "/v1/pause?direction=push"), request("GET", "/v1/changes?after=3"),
            request("GET", "/metrics"),
            "POST /v1/sync?wait=0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\n{} {",
            "POST /v1/sync HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        ],
        words: [
            "GET ", "POST ", "DELETE ", " HTTP/1.1\r\n", "\r\n\r\n", "/v1/", "quarantine", "conflicts", "schemas",
            "retry", "wait=",
            "after=", "limit=", "where=", "Content-Length: ", "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n",
            "Last-Event-ID: ", "Upgrade: h2c\r\n",
        ],
        turns: 40
    ) { body in
        try await withServedSocket(FakeControlService.full()) { socket in
            let address = try SocketAddress(unixDomainSocketPath: socket)
            try await body { input in
                let reply = try await exchange(input, at: address)
                let alive = try await exchange(Array(request("GET", "/v1/status").utf8), at: address)
                try promise(alive.starts(with: "HTTP/1.1 200 ".utf8), "the server answers nobody any more")
                let text = String(decoding: reply, as: UTF8.self)
                guard text.hasPrefix("HTTP/1.1 4"), let start = text.firstRange(of: "\r\n\r\n")?.upperBound else {
                    return text.hasPrefix("HTTP/1.1 2")
                }
                if let error = try? ControlJSON.read(ControlError.self, from: Data(text[start...].utf8)) {
                    try promiseOneLine(error)
                }
                return false
            }
        }
    }

    private static func request(_ method: String, _ path: String) -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: moviesync\r\nConnection: close\r\n\r\n"
    }

    /// Sends bytes, says that there are no more, and reads until the other end closes.
    static func exchange(_ bytes: [UInt8], at address: SocketAddress) async throws -> [UInt8] {
        try await connect(to: address).executeThenClose { inbound, outbound in
            var reply: [UInt8] = []
            do {
                try await outbound.write(ByteBuffer(bytes: bytes))
                outbound.finish()
                for try await chunk in inbound {
                    reply += chunk.readableBytesView
                    // A stream of changes does not end by itself.
                    if reply.firstRange(of: Array("text/event-stream".utf8)) != nil { break }
                }
            } catch is IOError {
                // The other end may close before it has read all.
            }
            return reply
        }
    }

    /// What the tool reads from the daemon.
    static let controlReply = FuzzTarget(
        "controlReply",
        seeds: [
            #"{"items":[{"collection":"movies","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","fields":{"a":[1,2.5]},"#
                + #""stamp":"01a20019c4ef-0000-142f2d0a46dba275","deleted":false,"pending":true}],"next":"x"}"#,
            #"{"error":{"code":"gone","message":"read anew"}}"#, sampleStatus,
            #"{"at":"2026-11-21T21:53:38.543Z","collection":"movies","fields":{"hasWatched":false},"#
                + #""id":"6FACA158-070C-4A9F-BC0E-6648775F4F48","op":"update","origin":"journal","seq":7,"stamp":"01"}"#,
        ],
        words: ["items", "next", "fields", "seq", "at", "state", "holds", "error"]
    ) { input in
        let data = Data(input)
        let isTaken = [
            try again(StatusSnapshot.self, data), try again(Page<RecordReply>.self, data),
            try again(ChangeReply.self, data),
            try again(HoldReply.self, data), try again(SyncReply.self, data),
        ]
        if let error = try? ControlJSON.read(ControlError.self, from: data) { _ = "\(error)" }
        return isTaken.contains(true)
    }

    private static var sampleStatus: String {
        (try? ControlJSON.text(FakeControlService.sampleStatus)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func again<Reply: Codable & Equatable>(_ type: Reply.Type, _ data: Data) throws -> Bool {
        guard let reply = try? ControlJSON.read(type, from: data) else { return false }
        let second = try ControlJSON.read(type, from: ControlJSON.text(reply))
        try promise(second == reply, "\(type) reads otherwise when it is written again")
        return true
    }
}
