internal import HTTPListening
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import OperatingSystem
internal import ServiceLifecycle
internal import Synchronization

/// A durable server that behaves as the Firebase Realtime Database does over REST.
///
/// It listens from the moment it is made; requests wait until ``run()`` answers them.
package final class HubServer: Service {
    /// Where it listens, as `127.0.0.1:41234`.
    package let address: String
    /// Whether it speaks TLS.
    package let isEncrypted: Bool

    private let lock: FileLock
    private let file: RowFile
    private let commits: CommitQueue
    private let listeners = Listeners()
    private let socket: Mutex<TCPListener?>
    private let http: HTTP1Channel
    private let tls: ServerTLS?
    private let logger: Logger

    /// Opens the data, takes the folder for itself, binds and listens. Blocks meanwhile.
    ///
    /// Throws a ``ServerError``; nothing stays open then.
    package init(_ options: ServerConfiguration, logger: Logger) throws {
        ThisProcess.raiseDescriptorLimit()
        lock = try HubServer.lockFolder(options.data)
        file = try RowFile(folder: options.data, fsync: options.fsync)
        let rulesStore = try RulesStore(file: file, path: options.rules)
        commits = try CommitQueue(
            file: file, fsync: options.fsync, listeners: listeners, rulesStore: rulesStore, logger: logger,
            wallClock: wallMilliseconds)
        let responder = Responder(
            commits: commits, listeners: listeners, rulesStore: rulesStore, options: options, logger: logger
        )
        let configuration = HTTP1Channel.Configuration(idleTimeout: TimeAmount(options.idleTimeout))
        http = HTTP1Channel(
            responder: { try await responder.respond($0, $1, $2) }, configuration: configuration)
        tls = options.tls
        isEncrypted = options.tls != nil
        let listener = try HubServer.bind(options)
        socket = Mutex(listener)
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        address = "\(host):\(listener.port)"
        self.logger = logger
    }

    /// Serves until graceful shutdown or cancellation. Event streams end at once then, and writes that have begun are
    /// finished. The folder is free for another server when this returns; a second call throws.
    package func run() async throws {
        defer { lock.release() }
        logger.info("Serving", metadata: ["event": "server.started", "address": "\(address)", "file": "\(file.path)"])
        try await AcceptLoop(
            descriptor: try takeDescriptor(), http: http, noDelay: true, tls: tls, logger: logger
        ).run()
        await commits.betweenCommits {}
        try file.close()
        logger.info("Stopped", metadata: ["event": "server.stopped", "address": "\(address)"])
    }

    /// The listening descriptor, for the one run there may be.
    private func takeDescriptor() throws -> CInt {
        let listener = socket.withLock { socket in
            defer { socket = nil }
            return socket
        }
        guard let listener else {
            throw ServerError(.cannotBind, "this server has run already: make a new one")
        }
        return try listener.descriptor.duplicate()
    }

    /// Makes the folder and takes it for this server alone, until the process ends; nothing is left by a crash.
    private static func lockFolder(_ folder: String) throws -> FileLock {
        do {
            try Folder.make(folder, mode: 0o700)
            return try FileLock(path: folder + "/lock")
        } catch  where error.isHeldElsewhere {
            throw ServerError(.inUse, "another server holds \(folder): stop it, or choose another folder")
        } catch {
            throw ServerError(.cannotCreate, "\(error)")
        }
    }

    private static func bind(_ options: ServerConfiguration) throws -> TCPListener {
        do {
            return try TCPListener.bind(host: options.host, port: options.port)
        } catch {
            throw ServerError(
                .cannotBind, "\(error): choose another address, or stop what uses it", underlying: error)
        }
    }
}
