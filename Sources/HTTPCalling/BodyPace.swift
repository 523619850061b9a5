package import AsyncHTTPClient
package import NIOCore

/// How slowly the body of an answer may come: the client's own deadline is over with the head, and a server that sends a byte
/// now and then would keep for ever who waits for all of it.
package struct BodyPace: Sendable {
    /// What each byte allows beyond the patience: a thousand bytes a second are always quick enough.
    private static let perByte = Duration.milliseconds(1)

    private var end: ContinuousClock.Instant

    /// - Parameter patience: what any body may take.
    package init(_ patience: Duration, now: ContinuousClock.Instant = .now) { end = now + patience }

    /// So many bytes have come.
    ///
    /// - Throws: `HTTPClientError.deadlineExceeded` where they were too slow.
    package mutating func took(_ bytes: Int, now: ContinuousClock.Instant = .now) throws {
        end += BodyPace.perByte * bytes
        guard now <= end else { throw HTTPClientError.deadlineExceeded }
    }
}

extension HTTPClientResponse.Body {
    /// The whole body.
    ///
    /// - Parameters:
    ///   - limit: bytes.
    ///   - patience: what it may take beside what its length allows.
    /// - Throws: `NIOTooManyBytesError`, `HTTPClientError.deadlineExceeded`, or what the connection has failed with.
    package func collect(upTo limit: Int, within patience: Duration) async throws -> ByteBuffer {
        var pace = BodyPace(patience)
        var whole = ByteBuffer()
        for try await piece in self {
            try pace.took(piece.readableBytes)
            whole.writeImmutableBuffer(piece)
            guard whole.readableBytes <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
        }
        return whole
    }
}
