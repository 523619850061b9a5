package import DatabaseServer
package import PluginKit
package import SystemPackage

/// The built-in hub: where it listens, what it keeps where, and whom it lets in.
package struct LocalSettings: Equatable, Sendable {
    package var listen: ListenAddress
    /// The folder of its data.
    package var data: FilePath
    package var fsync = LocalKeys.fsync.fallback
    /// The keep-alive interval of an event stream.
    package var keepAlive = LocalKeys.keepAlive.fallback
    /// The security rules of databases that have none of their own.
    package var rules: FilePath?
    /// The file with the secret that makes an administrator.
    package var secret: FilePath?
    /// The file with the keys that ID tokens are signed with.
    package var tokenKey: FilePath?
    /// The project that ID tokens must be for.
    package var project: String?
    /// Whether accounts are served, also by no emulator.
    package var servesAccounts = false
    /// Whether nobody learns which addresses have an account.
    package var hidesEmails = true
    /// The program that hands codes on.
    package var codesTo: FilePath?
    package var isEmulator = false
    /// Whether it may listen where others can reach it without TLS or rules.
    package var isInsecure = false
    /// The names by which people reach it, besides numbers and `localhost`.
    package var hosts: [String] = []
    /// The most bytes of a request's body.
    package var maxBody = LocalKeys.maxBody.fallback
    package var certificate: FilePath?
    package var key: FilePath?

    package init(listen: ListenAddress, data: FilePath) {
        self.listen = listen
        self.data = data
    }

    /// Takes them from the values of ``LocalKeys``; its data lies in `stateFolder` where they do not say.
    package init(_ values: SettingValues, stateFolder: FilePath) {
        listen = values[LocalKeys.listen]
        data = values[LocalKeys.data].map { FilePath($0) } ?? stateFolder.appending("firebase")
        fsync = values[LocalKeys.fsync]
        keepAlive = values[LocalKeys.keepAlive]
        rules = values[LocalKeys.rules].map { FilePath($0) }
        secret = values[LocalKeys.secret].map { FilePath($0) }
        tokenKey = values[LocalKeys.tokenKey].map { FilePath($0) }
        project = values[LocalKeys.project]
        servesAccounts = values[LocalKeys.accounts]
        hidesEmails = values[LocalKeys.emailPrivacy]
        codesTo = values[LocalKeys.codesTo].map { FilePath($0) }
        isEmulator = values[LocalKeys.emulator]
        isInsecure = values[LocalKeys.insecure]
        hosts = values[LocalKeys.hosts]
        maxBody = values[LocalKeys.maxBody]
        certificate = values[LocalKeys.certificate].map { FilePath($0) }
        key = values[LocalKeys.key].map { FilePath($0) }
    }

    /// How accounts are served; nil where they are not.
    var accounts: AccountConfiguration? {
        guard servesAccounts || isEmulator else { return nil }
        var accounts = AccountConfiguration(project: project)
        accounts.hidesEmails = hidesEmails && !isEmulator
        accounts.codesTo = codesTo?.string
        return accounts
    }

    /// Whether others could reach it and nothing would stop them.
    var isExposed: Bool {
        !listen.isLoopback && (certificate == nil || rules == nil || isEmulator)
    }
}
