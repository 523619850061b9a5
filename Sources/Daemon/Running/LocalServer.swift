package import LocalFirebase
package import Logging
package import SystemPackage

/// The embedded database server, as the daemon and `serve-firebase` run it.
package enum LocalServer {
    /// Opens the data and starts to listen; its address is the real one, also where port 0 was asked for.
    package static func make(
        listen: ListenAddress, data: FilePath, rules: FilePath? = nil, fsync: Fsync = .always, logger: Logger
    ) throws -> LocalFirebaseServer {
        var options = LocalFirebaseOptions(data: data.string)
        options.host = listen.host
        options.port = listen.port
        options.rules = rules?.string
        options.fsync = fsync
        return try LocalFirebaseServer(options, logger: logger)
    }

    /// Where this machine reaches the server: a wildcard address is no destination.
    package static func url(of server: LocalFirebaseServer) -> String {
        guard var address = ListenAddress(server.address) else { return "http://\(server.address)" }
        if address.host == "0.0.0.0" { address.host = "127.0.0.1" }
        if address.host == "::" { address.host = "::1" }
        return "http://\(address)"
    }
}
