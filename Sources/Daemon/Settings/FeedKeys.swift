internal import PluginKit
internal import SyncEngine
internal import SyncModel

/// The configuration keys of the change feed.
enum FeedKeys {
    static let keep = SettingKey.duration(
        "changes.keep", default: "90d",
        """
        A change is kept this long at least, in the state for history, undo and readers of the socket, and in \
        changes.jsonl or the older file beside it.
        """
    ).reloadable()

    static let capacity = SettingKey.mebibytes(
        "changes.capacity", default: 512,
        """
        How many MiB changes.jsonl and the older file beside it may have: at half of it the file is renamed to \
        changes.jsonl.1, which takes the place of an older one.
        """
    ).reloadable()

    static let declarations = [keep.declaration, capacity.declaration]

    static func limits(_ settings: Settings) -> FeedLimits {
        FeedLimits(keep: settings[keep].milliseconds, capacity: UInt64(settings[capacity]) << 20)
    }
}
