internal import AsyncHTTPClient
internal import HTTPCalling
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import PluginKit
internal import SyncModel

extension RemoteError {
    /// What a failure below HTTP means for the request; a cancellation stays one.
    ///
    /// - Parameter place: the server, for the message.
    static func transport(_ error: any Error, at place: String) -> any Error {
        switch error {
        case is CancellationError, is RemoteError: return error
        case let error as HTTPClientError: return client(error, at: place)
        case let error as NIOConnectionError:
            return RemoteError(.unreachable, "no connection to \(place): \(reason(of: error))")
        case is NIOSSLError, is NIOSSLExtraError: return encryption(error, at: place)
        case let error as IOError where notConnected.contains(error.errnoCode):
            return RemoteError(.unreachable, "no connection to \(place): \(line(error))")
        case let error as NIOTooManyBytesError:
            let limit = error.maxBytes.map { "larger than \(size($0))" } ?? "too large"
            return RemoteError(.tooLarge, "the answer of \(place) is \(limit)")
        default:
            return RemoteError(.outcomeUnknown, "the connection to \(place) broke: \(line(error))")
        }
    }

    /// A limit in words: `256 MiB`, `100 bytes`.
    private static func size(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }

    /// ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL: these come before a connection exists.
    private static let notConnected: Set<CInt> = [111, 101, 113, 99]

    private static func client(_ error: HTTPClientError, at place: String) -> any Error {
        switch error {
        case .cancelled where Task.isCancelled: return CancellationError()
        case .connectTimeout, .tlsHandshakeTimeout:
            return RemoteError(.unreachable, "no connection to \(place) within the time limit")
        case .alreadyShutdown:
            return RemoteError(.unreachable, "the client of \(place) is shut down")
        case .readTimeout, .deadlineExceeded, .writeTimeout:
            return RemoteError(.outcomeUnknown, "\(place) did not answer within the time limit")
        case .remoteConnectionClosed:
            return RemoteError(.outcomeUnknown, "\(place) closed the connection before it had answered")
        default:
            return RemoteError(.outcomeUnknown, "the request to \(place) failed: \(error.shortDescription)")
        }
    }

    private static func encryption(_ error: any Error, at place: String) -> RemoteError {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return RemoteError(.unreachable, "the certificate of \(place) is for another host: check remote.url")
        }
        if CallFault.refusesCertificate(error) {
            return RemoteError(.unreachable, "the certificate of \(place) \(CertificateFault.words(of: nil, now: 0))")
        }
        switch error as? NIOSSLError {
        case .uncleanShutdown?:
            return RemoteError(.outcomeUnknown, "\(place) cut the connection before it had answered")
        default:
            let reason = CallFault.encryptionReason(error) ?? "the server does not speak TLS as it should"
            return RemoteError(.unreachable, "no secure connection to \(place): \(reason)")
        }
    }

    private static func reason(of error: NIOConnectionError) -> String {
        if let first = error.connectionErrors.first { return line(first.error) }
        if let lookup = error.dnsAError ?? error.dnsAAAAError { return line(lookup) }
        return "it could not be made"
    }

    /// The system's word for an error that people meet often, else the library's own words.
    private static func line(_ error: any Error) -> String {
        if let number = (error as? IOError)?.errnoCode, let words = ConnectionFault.words(for: number) { return words }
        return oneLine(String(describing: error))
    }

    /// The beginning of a server's or library's words, on one line.
    static func oneLine(_ text: String) -> String {
        let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        return words.count > 300 ? words.prefix(300) + "…" : words
    }
}
