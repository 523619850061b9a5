internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import SyncModel

/// What has failed below HTTP, in words for people: a library's own name lines of its sources.
package enum CallFault {
    /// Why there is no answer, or no whole one, without the address; nil for what no client of HTTP says.
    package static func words(for error: any Error) -> String? {
        switch error {
        case let error as HTTPClientError: error.shortDescription
        case let error as AnswerGuard.ImpossibleStatus: error.description
        case is NIOTooManyBytesError: "its answer is too large"
        case is HTTPParserError: "its answer is none of HTTP"
        case let error as IOError: ConnectionFault.words(for: error.errnoCode) ?? "there is no connection"
        case let error as NIOConnectionError:
            error.connectionErrors.first.flatMap { words(for: $0.error) } ?? "there is no connection"
        case is ChannelError: "there is no connection"
        default: encryption(error)
        }
    }

    /// Whether an error says that the server's certificate is not accepted, other than for its names.
    package static func refusesCertificate(_ error: any Error) -> Bool {
        texts(of: error).contains { $0.contains("CERTIFICATE_VERIFY_FAILED") }
    }

    /// Why there is no secure connection, as the library has it, in a few words: `wrong version number`; nil where it
    /// does not say.
    package static func encryptionReason(_ error: any Error) -> String? {
        texts(of: error).lazy.compactMap(reason).first
    }

    private static func encryption(_ error: any Error) -> String? {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return "its certificate is for another host"
        }
        guard error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError else { return nil }
        if refusesCertificate(error) {
            return "its certificate is not accepted: it has expired, or its issuer is not trusted here"
        }
        if case .uncleanShutdown? = error as? NIOSSLError { return "it cut the connection before it had answered" }
        return "there is no secure connection" + (encryptionReason(error).map { " (\($0))" } ?? "")
    }

    private static func texts(of error: any Error) -> [String] {
        switch error {
        case NIOSSLError.handshakeFailed(let fault): texts(of: fault)
        case BoringSSLError.sslError(let faults): faults.map(\.description)
        default: []
        }
    }

    /// What stands between the names of a library and of one of its sources.
    static func reason(in text: String) -> String? {
        let mark = "OPENSSL_internal:"
        guard let start = text.firstRange(of: mark)?.upperBound else { return nil }
        let name = text[start...].prefix { $0 == "_" || ($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return name.isEmpty ? nil : name.replacing("_", with: " ").lowercased()
    }
}
