internal import PluginKit

/// What a catalog can be asked; the name of its answer in the cache.
enum Question: Hashable, Sendable {
    case page(CatalogQuery)
    case details(String, language: String)
}

/// What a catalog has answered.
enum Reply: Hashable, Sendable {
    case page(CatalogPage)
    case details(CatalogRow)

    /// How much room it takes, in rows.
    var weight: Int {
        switch self {
        case .page(let page): max(1, page.rows.count)
        // Details have many pictures.
        case .details: 10
        }
    }
}

/// A reply, and whether the source could not confirm that it still holds.
struct Answered: Hashable, Sendable {
    var reply: Reply
    var isStale = false
}
