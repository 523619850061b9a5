internal import NIOCore
internal import NIOSSL

/// TLS as a server speaks it, with one certificate.
package struct ServerTLS: Sendable {
    private let context: NIOSSLContext

    /// - Parameters:
    ///   - certificates: the server's certificate first, then those that lead to its authority; PEM.
    ///   - key: the private key of the first one, PEM, without passphrase.
    package init(certificates: [UInt8], key: [UInt8]) throws(ServerTLSError) {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificates), !chain.isEmpty else {
            throw ServerTLSError(description: "the certificate's file holds no certificate in PEM")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: key, format: .pem) else {
            throw ServerTLSError(description: "the key's file holds no private key in PEM without passphrase")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // A peer that does not answer close_notify is not waited for longer.
        configuration.shutdownTimeout = .seconds(1)
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ServerTLSError(description: "the private key does not belong to the certificate")
        }
    }

    /// Makes a new connection begin with a handshake; to be called on its event loop, before anything else.
    func begin(on channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
    }
}
