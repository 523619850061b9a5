/// What `FIREBASE_DATABASE_EMULATOR_HOST` changes.
enum EmulatorHost {
    static let variable = "FIREBASE_DATABASE_EMULATOR_HOST"

    /// The settings that the variable replaces; none where it is not set, or where the environment names the database
    /// itself.
    ///
    /// The namespace is the one that the configured address names, else the first label of its host. An emulator's
    /// owner is not bound by rules, so the write guard is `etag`.
    static func replacements(environment: [String: String], configuredURL: String?) -> [SettingKey: String] {
        guard let host = environment[variable], !host.isEmpty, environment[SettingKey.url.environmentName] ?? "" == ""
        else { return [:] }
        var url = "http://\(host)"
        if let configured = configuredURL.flatMap(DatabaseAddress.init) {
            let label = configured.host.split(separator: ".").first.map(String.init)
            if let namespace = configured.namespace ?? label { url += "?ns=\(namespace)" }
        }
        return [.plugin: "firebase", .url: url, .credential: "emulator", .writeGuard: "etag"]
    }
}
