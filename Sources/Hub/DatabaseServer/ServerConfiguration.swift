internal import HTTPListening
internal import NIOCore
internal import OperatingSystem

/// Where the server listens and keeps its data, and how it authenticates requests.
package struct ServerConfiguration: Sendable {
    /// A host name or an IP address.
    package var host = "127.0.0.1"
    /// 0 takes any free port.
    package var port = 9000
    /// The folder of the data; made with mode 0700 where it is missing.
    package var data: String
    /// The keep-alive interval of event streams.
    package var keepAlive: Duration = .seconds(30)
    /// A file of security rules in JSON for the databases that have no rules of their own.
    package var rules: String?
    /// An event stream whose reader is further behind than this many bytes is cut.
    var listenerBuffer = 16 * 1024 * 1024
    package var fsync = Fsync.always
    /// The most bytes of a request's body.
    package var maxBody = 256 * 1024 * 1024
    /// The names by which people reach the server, besides addresses in numbers, `localhost` and ``host``.
    package var names: Set<String> = []

    /// Certificate and key of TLS; nil for plain HTTP.
    var tls: ServerTLS?
    /// Whoever knows it is an administrator.
    var secret: AdminSecret?
    /// The secret of the process that runs the server, which nobody else knows.
    var ownSecret: AdminSecret?
    /// The keys that verify ID tokens; without them no ID token is accepted.
    var tokenKeys: TokenKeys?
    /// The project that ID tokens must be for; nil takes every project's.
    package var project: String?
    /// Whether `Bearer owner` is an administrator and unsigned ID tokens are accepted, as by Firebase's emulator.
    package var isEmulator = false
    /// How accounts are served; nil where they are not.
    package var accounts: AccountConfiguration?
    /// A connection on which no request is under way is closed after this time.
    var idleTimeout: Duration = .seconds(300)
    /// A body that comes more slowly ends its connection.
    var bodyRate = BodyRate()
    /// A head that takes longer ends its connection, and so does one that sends none from its beginning on.
    var headTime: Duration = .seconds(60)
    /// Who sends nothing over a WebSocket for so long is asked for a sign of life.
    var socketQuiet: Duration = .seconds(60)
    /// The time by which tokens end.
    var time = WallTime.system
    /// Awaited before the data are loaded.
    var beforeLoading: @Sendable () async throws -> Void = {}
    /// Gives back memory that was left behind.
    var giveBack: @Sendable () -> Void = Memory.trim
    /// Awaited after each part of a large write that was staged.
    var whileStaging: @Sendable () async -> Void = {}

    package init(data: String) { self.data = data }

    var socketManners: SocketManners {
        SocketManners(
            quiet: TimeAmount(socketQuiet), maxMessage: min(maxBody, ServerConfiguration.maxFrame),
            farewell: { SocketReply.reset(host: $0) })
    }

    /// The most bytes of one frame of a WebSocket; client libraries send no more than a 64th of it.
    private static let maxFrame = 1 << 20
}
