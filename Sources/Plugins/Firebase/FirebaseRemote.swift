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
    private let storedPictures: StoredPictures?
    private let clients: HTTPClients
    private let timeouts: FirebaseSettings.Timeouts
    /// What was written, by this remote and by those like it for people.
    let sent: SentEntries
    /// Nil where this is a remote for one of these people.
    private let people: (places: AccountPlaces, objection: String?)?

    /// Makes no connection yet.
    ///
    /// - Throws: ``RemoteSettingsError`` where the address, the credential or the certificates can't be used.
    package init(_ settings: FirebaseSettings, logger: Logger) throws(RemoteSettingsError) {
        let location = try DatabaseLocation(settings)
        let isPrivate = location.isEncrypted || location.isThisMachine || settings.isThisProcess
        guard !settings.credential.isSecret || isPrivate else {
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
        let places = AccountPlaces(location, root: settings.accountsURL, key: settings.apiKey)
        let isOpen = !isPrivate || (settings.accountsURL.flatMap(DatabaseAddress.init)?.isPrivate == false)
        people = (places, isOpen ? "a password would be readable on the way: use https" : nil)
        name = settings.name
        self.clients = clients
        self.timeouts = timeouts
        sent = SentEntries()
        let credentials = Credentials(settings.credential, tokens: tokens)
        client = DatabaseClient(
            location: location, credentials: credentials, meter: meter, patience: timeouts.request, logger: logger)
        var storage: StoragePlace?
        if settings.hasStorage {
            storage = StoragePlace(location, bucket: settings.bucket, shown: settings.shownAs)
        }
        storedPictures = storage.map {
            StoredPictures(
                storage: $0, credentials: credentials, http: clients.requests, meter: meter, patience: timeouts.request)
        }
    }

    /// Another one like `remote`, for a person.
    private init(_ remote: FirebaseRemote, _ tokens: AccessTokens) {
        name = remote.name
        clients = remote.clients
        timeouts = remote.timeouts
        sent = remote.sent
        people = nil
        let credentials = Credentials(.person, tokens: tokens)
        client = DatabaseClient(
            location: remote.client.location, credentials: credentials, meter: remote.client.meter,
            patience: remote.timeouts.request, logger: remote.client.logger)
        storedPictures = remote.storedPictures?.acting(with: credentials)
    }

    package var pictures: (any RemotePictures)? { storedPictures }

    package var accounts: (any RemoteAccounts)? {
        guard let people else { return nil }
        return FirebaseAccounts(
            places: people.places, objection: people.objection, http: clients.requests, timeouts: timeouts,
            meter: client.meter
        ) { FirebaseRemote(self, $0) }
    }

    package var address: String { client.location.origin }

    package var keepsTombstones: Bool { client.location.keepsTombstones }

    package var traffic: RemoteTraffic { client.meter.traffic }

    package func listen(
        to keyspace: Keyspace, after cursor: UInt64?, handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws {
        let listener = StreamListener(
            client: client, http: clients.streams, timeouts: timeouts, keyspace: keyspace, cursor: cursor, sent: sent)
        try await listener.run(handler)
    }

    package func shutdown() async {
        await client.credentials.cancel()
        // The connections are those of the remote that everybody's belong to.
        if people != nil { await clients.shutdown() }
    }

    /// Sends a request over the client for requests and waits for the head of the answer.
    func answer(to request: DatabaseRequest) async throws -> DatabaseAnswer {
        try await client.answer(to: request, over: clients.requests, deadline: .now() + TimeAmount(timeouts.request))
    }
}
