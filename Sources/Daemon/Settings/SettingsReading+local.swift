internal import SystemPackage

/// The embedded server: its address, and the files that guard it.
extension SettingsReading {
    mutating func local(in state: FilePath) -> Settings.Local {
        var local = Settings.Local(listen: listen(), data: path(.data) ?? state.appending("firebase"))
        local.fsync = word(.localFsync) ?? local.fsync
        local.keepAlive = duration(.localKeepAlive)
        local.rules = file(.localRules)
        local.secret = file(.localSecret)
        local.tokenKey = file(.localTokenKey)
        local.project = text(.localProject).flatMap { $0.isEmpty ? nil : $0 }
        local.isEmulator = truth(.localEmulator)
        local.isInsecure = truth(.localInsecure)
        local.certificate = file(.localCertificate)
        local.key = file(.localKey)
        for (key, message) in LocalFiles(local, credentials: environment["CREDENTIALS_DIRECTORY"]).problems {
            complain(about: key, "can't be used: \(message)")
        }
        if (local.certificate == nil) != (local.key == nil) {
            let (given, missing): (SettingKey, SettingKey) =
                local.key == nil ? (.localCertificate, .localKey) : (.localKey, .localCertificate)
            complain(about: given, "stands alone: set \(missing) too")
        }
        return local
    }

    /// Refuses an address that others can reach while nothing stops them.
    mutating func checkProtection(of local: Settings.Local) {
        guard local.isExposed, !local.isInsecure else { return }
        let wanted = local.isEmulator ? "without local.emulator" : "with local.tls and local.rules"
        complain(
            about: .listen,
            "is \(local.listen), which other machines can reach: use it \(wanted), or set local.insecure to true")
    }

    private mutating func listen() -> ListenAddress {
        let builtIn = ListenAddress(host: "127.0.0.1", port: 9000)
        guard let text = text(.listen) else { return builtIn }
        if let address = ListenAddress(text) { return address }
        complain(about: .listen, "is \(quoted(text)), but must be host:port, such as 127.0.0.1:9000")
        return builtIn
    }

    /// A file that need not be; a bare name is looked for where the service manager puts credentials first.
    private mutating func file(_ key: SettingKey) -> FilePath? {
        guard let name = text(key), !name.isEmpty, path(key) != nil else { return nil }
        return LocalFiles.place(of: name, in: folder(of: key), credentials: environment["CREDENTIALS_DIRECTORY"])
    }

    private mutating func truth(_ key: SettingKey) -> Bool {
        enum Truth: String, CaseIterable { case `true`, `false` }
        let truth: Truth? = word(key)
        return truth == .true
    }
}
