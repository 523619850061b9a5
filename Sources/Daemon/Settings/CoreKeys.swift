package import Logging
package import PluginKit
internal import SyncEngine
package import SyncModel

/// The configuration keys that belong to no plugin, one declaration each; ``SettingsSchema`` adds those of plugins.
package enum CoreKeys {
    package static let state = SettingKey.path(
        "state",
        "The folder of the state (state.sqlite) and of the change feed (changes.jsonl). One daemon at a time."
    ).flag("state").otherwise("the state folder of the service manager, or of the user").shipped("/var/lib/moviesync")

    package static let journal = SettingKey.path(
        "journal", "Programs append operations to this file; the daemon only reads it."
    ).flag("journal").otherwise("`journal.jsonl` in the state folder").shipped("/var/spool/moviesync/journal.jsonl")

    package static let socket = SettingKey.path(
        "socket", "Status and control, for the command \"moviesync\". A path of at most 107 bytes."
    ).flag("socket").otherwise("`control.sock` in the runtime folder, or in the state folder")
        .shipped("/run/moviesync/control.sock")

    package static let nodeName = SettingKey<String?>.label(
        "node.name", "What \"moviesync nodes\" calls this node, on every node."
    ).reloadable().otherwise("the name of the machine").example("living-room")

    package static let logLevel = SettingKey<Logger.Level>.word(
        "log.level", default: .info, "Log lines below this level are left out."
    ).reloadable().flag("log-level")

    package static let logFormat = SettingKey<Settings.Log.Format>.word(
        "log.format", default: .auto,
        meanings: [.auto: "journald when systemd runs the daemon, text on a terminal, json otherwise."],
        "The shape of log lines on standard error."
    ).reloadable()

    package static let maxAhead = SettingKey.duration(
        "clock.maxAhead", default: "60s",
        "An edit from further in the future than this is held until a person decides."
    ).reloadable()

    package static let keepTombstones = SettingKey.duration(
        "tombstones.keep", default: "90d",
        """
        A delete is remembered at least this long, and until every node has heard of it that was there since. A node that \
        was away for longer compares everything when it is back.
        """
    ).reloadable()

    /// - Parameter chosen: those that are kept where nobody says which.
    package static func enabled(_ chosen: [CollectionID]) -> SettingKey<[String]> {
        SettingKey.list(
            "collections.enabled", default: chosen.map(\.name),
            "What is kept in sync. The keys of a collection that is not listed here are checked and otherwise ignored."
        ).reloadable()
    }

    static func base(of collection: CollectionID) -> SettingKey<String> {
        SettingKey<String>.databasePath(
            "collections.\(collection).base", default: collection.name,
            "The path in the database. \"\" (in quotes) is its root; then remote.meta must be \"none\"."
        ).reloadable()
    }

    static func pull(of collection: CollectionID) -> SettingKey<PullMode> {
        SettingKey<PullMode>.word(
            "collections.\(collection).pull", default: .full,
            meanings: [
                .full: "the whole collection is streamed; right where apps without stamps write too.",
                .incremental: """
                only what changed; less traffic for large collections that nothing but moviesync writes.
                """,
            ], "How much is read at a start."
        ).reloadable()
    }

    static func merge(of collection: CollectionID) -> SettingKey<MergeMode> {
        SettingKey<MergeMode>.word(
            "collections.\(collection).merge", default: .fields,
            meanings: [
                .fields: "field by field, so that edits of different fields are both kept.",
                .record: "the later edit wins with all its fields.",
            ], "What becomes of edits that two nodes made of one record; the same on every node."
        ).reloadable()
    }

    static func remotePlugin(_ remotes: [any RemotePlugin]) -> SettingKey<String> {
        SettingKey<String>.word(
            RemoteKeys.plugin, of: remotes.map { .init($0.name, $0.summary) }, "Where the records are shared.")
    }

    /// All of them, in the order of the documents.
    static func declarations(
        _ collections: [CollectionID], enabled chosen: [CollectionID], _ remotes: [any RemotePlugin]
    ) -> [SettingDeclaration] {
        [
            state.declaration, journal.declaration, socket.declaration, nodeName.declaration, logLevel.declaration,
            logFormat.declaration, enabled(chosen).declaration,
        ] + collections.flatMap { [base(of: $0).declaration, pull(of: $0).declaration, merge(of: $0).declaration] }
            + [remotePlugin(remotes).declaration] + RemoteKeys.declarations
            + [maxAhead.declaration, keepTombstones.declaration]
    }
}
