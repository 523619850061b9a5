package import DatabaseServer
package import SystemPackage

extension Settings {
    /// The embedded server: where it listens, what it keeps where, and whom it believes.
    package struct Local: Equatable, Sendable {
        package var listen: ListenAddress
        /// The folder of its data.
        package var data: FilePath
        package var fsync = Fsync.always
        /// The time between two signs of life of an event stream.
        package var keepAlive = Duration.seconds(30)
        /// The security rules of databases that have none of their own.
        package var rules: FilePath?
        /// The file with the secret that makes an administrator.
        package var secret: FilePath?
        /// The file with the keys that ID tokens are signed with.
        package var tokenKey: FilePath?
        /// The project that ID tokens must be for.
        package var project: String?
        package var isEmulator = false
        /// Whether it may listen where others can reach it without TLS or rules.
        package var isInsecure = false
        package var certificate: FilePath?
        package var key: FilePath?

        package init(listen: ListenAddress, data: FilePath) {
            self.listen = listen
            self.data = data
        }

        /// Whether others could reach it and nothing would stop them.
        var isExposed: Bool {
            !listen.isLoopback && (certificate == nil || rules == nil || isEmulator)
        }
    }
}

extension ListenAddress {
    /// Whether only this machine can reach it.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
