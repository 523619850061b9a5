internal import PluginKit

/// The configuration keys of pictures.
enum ArtworkKeys {
    static let cache = SettingKey.path(
        "artwork.cache", "The folder that pictures of catalogs are kept in; it may be emptied at any time."
    ).otherwise("the cache folder of the service manager, or of the user").shipped("/var/cache/moviesync/art")

    static let capacity = SettingKey<Int>(
        "artwork.capacity", SettingType("MiB"), builtIn: "512", fallback: 512,
        "How many MiB of pictures are kept; those that were not looked at for the longest time go first."
    ) { input throws(SettingComplaint) in
        guard let number = Int(input.text), (1...1_048_576).contains(number) else {
            throw SettingComplaint("is \(input.quoted), but must be a whole number of MiB from 1 to 1048576")
        }
        return number
    }

    static let declarations = [cache.declaration, capacity.declaration]
}
