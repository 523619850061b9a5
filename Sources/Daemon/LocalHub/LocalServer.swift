package import DatabaseServer
package import Logging
internal import SystemPackage

/// The built-in hub, as the daemon and `serve-firebase` run it.
package enum LocalServer {
    /// Reads the files, opens the data and starts to listen; its address is the real one, also where port 0 was asked
    /// for.
    ///
    /// - Parameter ownSecret: makes the process that runs the server an administrator.
    package static func make(
        _ local: LocalSettings, ownSecret: String? = nil, readSecret: @escaping @Sendable (String) throws -> [UInt8],
        logger: Logger
    ) throws -> HubServer {
        let files = LocalFiles(local, readSecret: readSecret)
        if let problem = files.problems.first { throw CommandFailure(.configuration, problem.message) }
        var options = files.configuration
        options.host = local.listen.host
        options.port = local.listen.port
        options.fsync = local.fsync
        options.keepAlive = local.keepAlive
        if let ownSecret { options.setOwnSecret(ownSecret) }
        options.project = local.project
        options.isEmulator = local.isEmulator
        options.accounts = local.accounts
        options.names = Set(local.hosts)
        options.maxBody = local.maxBody
        let server = try HubServer(options, logger: logger)
        if local.isExposed {
            logger.warning(
                "Whoever can reach this server can read or change its data",
                metadata: ["event": "server.exposed", "address": "\(server.address)"])
        }
        if local.rules == nil, local.secret != nil || local.tokenKey != nil || local.servesAccounts {
            logger.warning(
                "No rules are set: databases without rules of their own are open to everybody",
                metadata: ["event": "server.open", "address": "\(server.address)"])
        }
        return server
    }

    /// Where others reach a server that listens at every address, by the first name it has; nil where that says nothing.
    static func shown(_ server: HubServer, hosts: [String]) -> String? {
        guard let name = hosts.first, var address = ListenAddress(server.address),
            ["0.0.0.0", "::"].contains(address.host)
        else { return nil }
        address.host = name
        return "\(server.isEncrypted ? "https" : "http")://\(address)"
    }

    /// Where this machine reaches the server: a wildcard address is no destination.
    package static func url(of server: HubServer) -> String {
        let scheme = server.isEncrypted ? "https" : "http"
        guard var address = ListenAddress(server.address) else { return "\(scheme)://\(server.address)" }
        if address.host == "0.0.0.0" { address.host = "127.0.0.1" }
        if address.host == "::" { address.host = "::1" }
        return "\(scheme)://\(address)"
    }
}
