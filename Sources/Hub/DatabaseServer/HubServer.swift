internal import HTTPListening
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import OperatingSystem
internal import ServiceLifecycle
internal import Synchronization

/// A durable server that behaves as the Firebase Realtime Database does over REST and over WebSockets.
///
/// It listens from the moment it is made, however large its data are; requests wait until ``run()`` has loaded them.
package final class HubServer: Service {
    /// Where it listens, as `127.0.0.1:41234`.
    package let address: String
    /// Whether it speaks TLS.
    package let isEncrypted: Bool

    private let lock: FileLock
    private let file: RowFile
    private let commits: CommitQueue
    private let listeners = Listeners()
    private let accounts: AccountDesk?
    private let doors: Mutex<[TCPListener]>
    private let http: HTTP1Channel
    private let tls: ServerTLS?
    private let bodyRate: BodyRate
    private let headTime: TimeAmount
    private let sockets: SocketManners
    private let beforeLoading: @Sendable () async throws -> Void
    private let logger: Logger

    private static let mostDoors = 8

    /// Takes the folder for itself, opens the data, binds and listens; as quickly however large the data are.
    ///
    /// Throws a ``ServerError``; nothing stays open then.
    package init(_ options: ServerConfiguration, logger: Logger) throws {
        ThisProcess.raiseDescriptorLimit()
        lock = try HubServer.lockFolder(options.data)
        file = try RowFile(folder: options.data, fsync: options.fsync)
        let rulesStore = try RulesStore(file: file, path: options.rules)
        commits = CommitQueue(
            file: file, fsync: options.fsync, listeners: listeners, rulesStore: rulesStore, logger: logger,
            clock: WriteClock(wallMilliseconds), giveBack: options.giveBack, whileStaging: options.whileStaging)
        accounts = try options.accounts.map { try AccountDesk($0, options, logger: logger) }
        let responder = Responder(
            commits: commits, listeners: listeners, rulesStore: rulesStore, accounts: accounts, options: options,
            logger: logger)
        let configuration = HTTP1Channel.Configuration(idleTimeout: TimeAmount(options.idleTimeout))
        http = HTTP1Channel(
            responder: { try await responder.respond($0, $1, $2) }, configuration: configuration)
        tls = options.tls
        bodyRate = options.bodyRate
        headTime = TimeAmount(options.headTime)
        sockets = options.socketManners
        beforeLoading = options.beforeLoading
        isEncrypted = options.tls != nil
        let listener = try HubServer.bind(options)
        // Thousands of clients that come back at once are more than one queue holds, and one loop accepts in time.
        doors = Mutex([listener] + listener.companions(min(System.coreCount, HubServer.mostDoors) - 1))
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        address = "\(host):\(listener.port)"
        self.logger = logger
    }

    /// Loads the data and serves until graceful shutdown or cancellation. Event streams and WebSockets end at once then;
    /// writes that have begun, and those that clients have asked for at their end, are finished. The folder is free for
    /// another server when this returns; a second call throws.
    ///
    /// Throws a ``ServerError`` where the data are damaged; they have not been changed then, and no request was answered.
    package func run() async throws {
        defer { lock.release() }
        logger.info("Serving", metadata: ["event": "server.started", "address": "\(address)", "file": "\(file.path)"])
        let loops = try takeDescriptors().map { [maintenance = commits.maintenance] descriptor in
            AcceptLoop(
                descriptor: descriptor, http: http, noDelay: true, compresses: true, bodyRate: bodyRate,
                headTime: headTime, tls: tls, sockets: sockets, unread: .unreadable,
                whenEnded: maintenance.disconnected, logger: logger)
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [beforeLoading, commits] in
                try await beforeLoading()
                try await commits.load()
                return false
            }
            group.addTask { [accounts] in
                await accounts?.codes.run()
                return false
            }
            for loop in loops {
                group.addTask {
                    try await loop.run()
                    return true
                }
            }
            while let hasEnded = try await group.next(), !hasEnded {}
            group.cancelAll()
        }
        await commits.betweenCommits {}
        try accounts?.close()
        try file.close()
        logger.info("Stopped", metadata: ["event": "server.stopped", "address": "\(address)"])
    }

    /// The listening descriptors, for the one run there may be.
    private func takeDescriptors() throws -> [CInt] {
        let doors = doors.withLock { doors in
            defer { doors = [] }
            return doors
        }
        guard !doors.isEmpty else {
            throw ServerError(.cannotBind, "this server has run already: make a new one")
        }
        return try doors.map { try $0.descriptor.duplicate() }
    }

    /// Makes the folder and takes it for this server alone, until the process ends; nothing is left by a crash.
    private static func lockFolder(_ folder: String) throws -> FileLock {
        do {
            try Folder.make(folder, mode: 0o700)
            return try FileLock(path: folder + "/lock")
        } catch  where error.isHeldElsewhere {
            throw ServerError(.inUse, "another server holds \(folder): stop it, or choose another folder")
        } catch {
            throw ServerError(error)
        }
    }

    private static func bind(_ options: ServerConfiguration) throws -> TCPListener {
        do {
            return try TCPListener.bind(host: options.host, port: options.port)
        } catch {
            // Its own words say what to do, where it has some.
            let advice = error.detail == nil ? ": choose another address" : ""
            throw ServerError(.cannotBind, "\(error)\(advice)", underlying: error)
        }
    }
}

extension UnreadAnswer {
    /// An error like any other of a database.
    fileprivate static let unreadable = UnreadAnswer(type: "application/json; charset=utf-8") { status in
        let words =
            status == 408
            ? "The request did not come to its end in time"
            : "This can't be read as a request of HTTP/1.1: its head is malformed or too long"
        return Array("{\"error\":\"\(words)\"}".utf8)
    }
}
