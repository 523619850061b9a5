internal import AsyncHTTPClient
internal import FirebaseWire
internal import JSONText
package import Logging
internal import NIOCore
internal import NIOHTTP1
package import PluginKit
package import SyncModel

/// A Firebase Realtime Database over its REST protocol, or anything that speaks it.
///
/// The layout is that of `docs/protocol.md` section 6. ``shutdown()`` must be called before the last reference goes.
package final class FirebaseRemote: Remote {
    /// The ETag of a place where nothing is.
    static let nothing = "null_etag"

    package let name: String
    let client: DatabaseClient
    package let pictures: (any RemotePictures)?
    private let clients: HTTPClients
    private let timeouts: FirebaseSettings.Timeouts

    /// Makes no connection yet.
    ///
    /// - Throws: ``RemoteSettingsError`` where the address, the credential or the certificates can't be used.
    package init(_ settings: FirebaseSettings, logger: Logger) throws(RemoteSettingsError) {
        let location = try DatabaseLocation(settings)
        guard
            !settings.credential.isSecret || location.isEncrypted || location.isThisMachine || settings.isThisProcess
        else {
            throw RemoteSettingsError(
                "remote.url is plain http: the credential would be readable on the way; use https or a local address")
        }
        var account: ServiceAccount?
        if case .serviceAccount(let json, _) = settings.credential {
            account = try ServiceAccount(json: json, storesPictures: settings.bucket != nil)
        }
        let timeouts = settings.timeouts
        let clients = try HTTPClients(timeouts, caFile: settings.caFile, isThisProcess: settings.isThisProcess)
        let meter = TrafficMeter()
        let tokens = account.map { account in
            let endpoint = TokenEndpoint(
                account: account, http: clients.requests, timeouts: timeouts, meter: meter, logger: logger)
            return AccessTokens { try await endpoint.token() }
        }
        name = settings.name
        self.clients = clients
        self.timeouts = timeouts
        let credentials = Credentials(settings.credential, tokens: tokens)
        client = DatabaseClient(location: location, credentials: credentials, meter: meter, logger: logger)
        let storage = settings.hasStorage ? StoragePlace(location, bucket: settings.bucket) : nil
        pictures = storage.map {
            StoredPictures(
                storage: $0, credentials: credentials, http: clients.requests, meter: meter, patience: timeouts.request)
        }
    }

    package var address: String { client.location.origin }

    package var keepsTombstones: Bool { client.location.keepsTombstones }

    package var traffic: RemoteTraffic { client.meter.traffic }

    package func listen(
        to keyspace: Keyspace, after cursor: UInt64?, handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws {
        let listener = StreamListener(
            client: client, http: clients.streams, timeouts: timeouts, keyspace: keyspace, cursor: cursor)
        try await listener.run(handler)
    }

    package func shutdown() async {
        await client.credentials.cancel()
        await clients.shutdown()
    }

    /// Sends a request over the client for requests and waits for the head of the answer.
    func answer(to request: DatabaseRequest) async throws -> DatabaseAnswer {
        try await client.answer(to: request, over: clients.requests, deadline: .now() + TimeAmount(timeouts.request))
    }
}
