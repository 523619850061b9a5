internal import HTTPListening
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle

/// A durable server that behaves as the Firebase Realtime Database does over REST.
///
/// It listens from the moment it is made; requests wait until ``run()`` answers them.
package final class LocalFirebaseServer: Service {
    /// Where it listens, as `127.0.0.1:41234`.
    package let address: String

    private let lock: FolderLock
    private let file: RowFile
    private let commits: CommitQueue
    private let listeners = Listeners()
    private let socket: ListeningSocket
    private let http: HTTP1Channel
    private let logger: Logger

    /// Opens the data, takes the folder for itself, binds and listens. Blocks meanwhile.
    ///
    /// Throws a ``LocalFirebaseError``; nothing stays open then.
    package init(_ options: LocalFirebaseOptions, logger: Logger) throws {
        raiseDescriptorLimit()
        try makeFolder(options.data)
        lock = try FolderLock(folder: options.data)
        file = try RowFile(folder: options.data)
        let ruleBook = try RuleBook(file: file, path: options.rules)
        commits = try CommitQueue(
            file: file, listeners: listeners, ruleBook: ruleBook, logger: logger, wallClock: wallMilliseconds)
        let responder = Responder(
            commits: commits, listeners: listeners, ruleBook: ruleBook, options: options, logger: logger
        )
        http = HTTP1Channel { request, writer, channel in
            try await responder.respond(request, writer, channel)
        }
        socket = try ListeningSocket(host: options.host, port: options.port)
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        address = "\(host):\(socket.port)"
        self.logger = logger
    }

    /// Serves until graceful shutdown or cancellation. Event streams end at once then, and writes that have begun are
    /// finished. The folder is free for another server when this returns; a second call throws.
    package func run() async throws {
        defer { lock.release() }
        logger.info("Serving", metadata: ["event": "server.started", "address": "\(address)", "file": "\(file.path)"])
        try await AcceptLoop(descriptor: try socket.take(), http: http, noDelay: true, logger: logger).run()
        await commits.betweenCommits {}
        try file.close()
        logger.info("Stopped", metadata: ["event": "server.stopped", "address": "\(address)"])
    }
}
