internal import AsyncHTTPClient
internal import HTTPCalling
internal import NIOCore
internal import NIOSSL
internal import PluginKit

/// The two clients of a remote: an open stream occupies a connection, so streams have a client of their own and never
/// keep requests waiting.
struct HTTPClients: Sendable {
    let requests: HTTPClient
    let streams: HTTPClient

    /// - Parameter isThisProcess: whether the other end is known without a certificate.
    /// - Throws: where `caFile` holds no certificates.
    init(
        _ timeouts: FirebaseSettings.Timeouts, caFile: String?, isThisProcess: Bool = false
    ) throws(RemoteSettingsError) {
        var configuration = HTTPClient.Configuration.calling
        configuration.decompression = .disabled
        configuration.timeout.connect = TimeAmount(timeouts.connect)
        if isThisProcess {
            var encryption = TLSConfiguration.makeClientConfiguration()
            encryption.certificateVerification = .none
            configuration.tlsConfiguration = encryption
        } else if let caFile, !caFile.isEmpty {
            var encryption = TLSConfiguration.makeClientConfiguration()
            encryption.additionalTrustRoots = [.certificates(try Self.certificates(in: caFile))]
            configuration.tlsConfiguration = encryption
        }
        configuration.timeout.read = TimeAmount(timeouts.silentStream)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        streams = Self.onOneLoop(configuration)
        configuration.timeout.read = TimeAmount(timeouts.request)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 80
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                try AnswerGuard.add(to: channel)
                try channel.pipeline.syncOperations.addHandler(RequestFlushHandler(), position: .first)
            }
        }
        requests = Self.onOneLoop(configuration)
    }

    /// The client sets each request's deadline on a loop of its group: where that is the connection's own, one wake-up
    /// does for both.
    private static func onOneLoop(_ configuration: HTTPClient.Configuration) -> HTTPClient {
        HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(), configuration: configuration)
    }

    /// Closes all connections; what is under way fails.
    func shutdown() async {
        // Closing has nothing to report that anyone could act on.
        try? await requests.shutdown()
        try? await streams.shutdown()
    }

    private static func certificates(in file: String) throws(RemoteSettingsError) -> [NIOSSLCertificate] {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
            throw RemoteSettingsError("remote.tls.caFile: \(file) can't be read, or holds no certificate in PEM form")
        }
        return certificates
    }
}
