internal import AsyncHTTPClient
internal import FoundationEssentials
internal import HTTPCalling
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
internal import SyncModel
internal import Synchronization

/// Sends the requests of catalogs.
final class CatalogHTTP: Sendable {
    /// In bytes: no page of a catalog is nearly as large.
    private static let bodyLimit = 8 << 20
    private static let patience = Duration.seconds(15)

    private let version: String
    private let client = Mutex<HTTPClient?>(nil)

    init(version: String) { self.version = version }

    /// Closes all connections; what is under way fails.
    func shutdown() async {
        let client = client.withLock { client in
            defer { client = nil }
            return client
        }
        // Closing has nothing to report that anyone could act on.
        try? await client?.shutdown()
    }

    /// The client, made when it is first needed: most daemons never ask a catalog.
    private func opened() -> HTTPClient {
        client.withLock { client in
            if let client { return client }
            // Follows no redirect: it could lead anywhere, with the key.
            var configuration = HTTPClient.Configuration.calling
            configuration.timeout.connect = .seconds(5)
            configuration.timeout.read = TimeAmount(CatalogHTTP.patience)
            let made = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            client = made
            return made
        }
    }

    /// Sends a request.
    ///
    /// - Parameter place: the address in place of the source's own.
    /// - Throws: ``CatalogError`` `unavailable` or `cancelled`; no message has the key in it.
    func answer(
        to request: CatalogRequest, at place: String?, known: String?
    ) async throws(CatalogError) -> (answer: CatalogAnswer, validator: String?, maxAge: Int?) {
        var message = HTTPClientRequest(url: CatalogHTTP.url(of: request, at: place))
        message.headers.add(name: "Accept", value: "application/json")
        message.headers.add(name: "User-Agent", value: "moviesync/\(version)")
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        if let known { message.headers.add(name: "If-None-Match", value: known) }
        do {
            let response = try await opened().execute(message, timeout: TimeAmount(CatalogHTTP.patience))
            let body = try await response.body.collect(upTo: CatalogHTTP.bodyLimit, within: CatalogHTTP.patience)
            let retry = response.headers.retryAfter().map { Int(($0 / .seconds(1)).rounded(.up)) }
            let answer = CatalogAnswer(
                status: Int(response.status.code), body: Array(body.readableBytesView), retryAfter: retry)
            let age = CatalogHTTP.maxAge(response.headers["Cache-Control"])
            return (answer, response.headers.first(name: "ETag"), age)
        } catch {
            if Task.isCancelled || error is CancellationError {
                throw CatalogError(.cancelled, "nobody waits for it")
            }
            // Without the address, which may hold the key.
            let server = place.flatMap(CatalogHTTP.server) ?? request.host
            throw CatalogError(
                .unavailable, "\(server) can't be asked: \(CallFault.words(for: error) ?? "there is no connection")")
        }
    }

    /// The host and the port of an address, without what else stands there.
    private static func server(at place: String) -> String? {
        guard let url = URL(string: place), let host = url.host else { return nil }
        return url.port.map { "\(host):\($0)" } ?? host
    }

    /// The seconds of the first `max-age`; 0 where nothing may be kept.
    static func maxAge(_ values: [String]) -> Int? {
        let words = values.flatMap { $0.lowercased().split(separator: ",") }.map { $0.filter { !$0.isWhitespace } }
        if words.contains("no-store") || words.contains("no-cache") { return 0 }
        return words.lazy.compactMap { $0.hasPrefix("max-age=") ? Int($0.dropFirst(8)) : nil }.first
    }

    /// The address, of nothing but what a URL may hold.
    static func url(of request: CatalogRequest, at place: String?) -> String {
        let path = request.path.map { PercentEncoding.encoded($0) }.joined(separator: "/")
        let query = request.query
            .map { PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value) }.joined(separator: "&")
        return (place ?? "https://" + request.host) + "/" + path + (query.isEmpty ? "" : "?" + query)
    }
}
