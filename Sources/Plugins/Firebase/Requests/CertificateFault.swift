internal import AsyncHTTPClient
internal import FoundationEssentials
internal import HTTPCalling
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import PluginKit
internal import SyncModel
internal import Synchronization

/// Why a server's certificate is not accepted. The library only says that it is not: the certificate is asked for once more,
/// and looked at.
struct CertificateFault: Sendable {
    /// From when until when a certificate is valid, in seconds since 1970.
    struct Validity: Hashable, Sendable {
        var from: Int
        var to: Int
    }

    /// How long the server may take for each step.
    private static let patience = TimeAmount.seconds(5)

    private let place: String
    private let host: String
    private let port: Int

    /// Nil where `error` says something else than that the certificate of the server of `url` is not accepted.
    init?(_ error: any Error, at url: String) {
        guard CallFault.refusesCertificate(error), let parts = URLComponents(string: url), let host = parts.host,
            !host.isEmpty
        else { return nil }
        place = "https://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? 443
    }

    /// What is wrong with the certificate, as the remote's error.
    func explained() async -> RemoteError {
        let words = CertificateFault.words(of: await validity(), now: Int(Date.now.timeIntervalSince1970))
        return RemoteError(.unreachable, "the certificate of \(place) \(words)")
    }

    /// What is wrong with a certificate that is not accepted.
    ///
    /// - Parameters:
    ///   - validity: nil where it is not known.
    ///   - now: seconds since 1970.
    static func words(of validity: Validity?, now: Int) -> String {
        guard let validity else {
            return "is not accepted: it has expired, or its issuer is not trusted here (remote.tls.caFile)"
        }
        func span(_ seconds: Int) -> Span { Span(seconds: UInt64(max(0, seconds))) }
        if now > validity.to {
            return "expired \(span(now - validity.to)) ago, by this machine's clock: it has to be renewed on the server"
        }
        if now < validity.from {
            return "is valid in \(span(validity.from - now)) only, by this machine's clock: see whether that is right"
        }
        return "has an issuer that is not trusted here: name its authority's certificate in remote.tls.caFile"
    }

    /// Asks the server for its certificate, and sends nothing.
    private func validity() async -> Validity? {
        let seen = SeenCertificate()
        let name = (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
        do {
            var encryption = TLSConfiguration.makeClientConfiguration()
            encryption.trustRoots = .certificates([])
            let context = try NIOSSLContext(configuration: encryption)
            let channel = try await ClientBootstrap(group: HTTPClient.defaultEventLoopGroup)
                .connectTimeout(CertificateFault.patience)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(
                            context: context, serverHostname: name,
                            customVerificationCallback: { chain, promise in
                                seen.note(chain.first)
                                promise.succeed(.failed)
                            })
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: host, port: port).get()
            let ending = channel.eventLoop.scheduleTask(in: CertificateFault.patience) { channel.close(promise: nil) }
            try await channel.closeFuture.get()
            ending.cancel()
        } catch {
            return nil
        }
        return seen.validity
    }
}

extension RemoteError {
    /// What a failure before there was an answer means for the request. Of a certificate that is not accepted it says
    /// why, which takes another look at the server.
    ///
    /// - Parameter url: what was asked for; `place` is its name for people.
    static func unanswered(_ error: any Error, from url: String, at place: String) async -> any Error {
        if let fault = CertificateFault(error, at: url) { return await fault.explained() }
        return transport(error, at: place)
    }
}

/// The certificate that a server has shown.
private final class SeenCertificate: Sendable {
    private let noted = Mutex<CertificateFault.Validity?>(nil)

    var validity: CertificateFault.Validity? { noted.withLock { $0 } }

    func note(_ certificate: NIOSSLCertificate?) {
        guard let certificate else { return }
        let validity = CertificateFault.Validity(
            from: Int(certificate.notValidBefore), to: Int(certificate.notValidAfter))
        noted.withLock { $0 = validity }
    }
}
