public import SyncModel

/// The configuration keys that mean the same for every remote.
public enum RemoteKeys {
    /// The name of the key that chooses the plugin; its words are the plugins that there are.
    public static let plugin = "remote.plugin"

    /// The path of tombstones, horizons and nodes, without slashes at its ends; nil for `none`.
    public static let meta = SettingKey<String?>(
        "remote.meta", SettingType("database path or `none`"), builtIn: "moviesync", fallback: "moviesync",
        """
        The path for tombstones and other notes, beside the collections, never inside one; or "none": then deletes made \
        by others are recognised by a record's absence alone.
        """
    ) { input throws(SettingComplaint) in
        let path = try input.databasePath()
        guard !path.isEmpty else {
            throw SettingComplaint("is empty: name a path beside the collections, or none")
        }
        return path == "none" ? nil : path
    }.reloadable()

    public static let writeGuard = SettingKey<WriteGuard>.word(
        "remote.writeGuard", default: .etag,
        meanings: [
            .etag: "every write is conditional; always right.",
            .rules: """
            batches without conditions, refused by the database itself where they are late. Only with the shipped \
            database.rules.json deployed (or as "local.rules") and a credential that rules bind (service-account \
            or id-token); apps that write without stamps are refused by these rules.
            """,
        ], "How writes are kept from losing what others wrote meanwhile."
    ).reloadable()

    public static let declarations = [meta.declaration, writeGuard.declaration]
}
