internal import PluginKit

/// The configuration keys of pictures.
enum ArtworkKeys {
    static let cache = SettingKey.path(
        "artwork.cache", "The folder that pictures of catalogs are kept in; it may be emptied at any time."
    ).otherwise("the cache folder of the service manager, or of the user").shipped("/var/cache/moviesync/art")

    static let capacity = SettingKey.mebibytes(
        "artwork.capacity", default: 512,
        "How many MiB of pictures are kept; those that were not looked at for the longest time go first."
    ).reloadable()

    static let declarations = [cache.declaration, capacity.declaration]
}
