import AsyncHTTPClient
import NIOCore
import NIOSSL
import Testing

@testable import HTTPCalling

struct CallFaultTests {
    private struct Other: Error {}

    @Test(
        arguments: [
            (IOError(errnoCode: 111, reason: "connect"), "the connection was refused"),
            (IOError(errnoCode: 5, reason: "read"), "there is no connection"),
            (NIOTooManyBytesError(maxBytes: 3), "its answer is too large"),
            (HTTPClientError.deadlineExceeded, HTTPClientError.deadlineExceeded.shortDescription),
            (AnswerGuard.ImpossibleStatus(status: 7), "it answers with the status 7, which there is not"),
            (NIOSSLExtraError.failedToValidateHostname, "its certificate is for another host"),
            (NIOSSLError.uncleanShutdown, "it cut the connection before it had answered"),
            (NIOSSLError.handshakeFailed(.zeroReturn), "there is no secure connection"), (Other(), nil),
        ] as [(any Error, String?)])
    func `what fails below HTTP is told in plain words`(error: any Error, words: String?) {
        #expect(CallFault.words(for: error) == words)
    }

    @Test(
        arguments: [
            (
                "Error: 268435703 error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at /a/tls_record.cc:125",
                "wrong version number"
            ),
            ("Error: 1 error:10000412:SSL routines:OPENSSL_internal:SSLV3_ALERT_X", "sslv3 alert x"),
            ("Error: 1 at /a/ssl.cc:2", nil), ("OPENSSL_internal:", nil),
        ] as [(String, String?)])
    func `of the library's words the reason is left, and no source`(text: String, reason: String?) {
        #expect(CallFault.reason(in: text) == reason)
    }
}
