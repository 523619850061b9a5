package import SyncModel

/// A catalog that the library can be filled from.
package struct CatalogReply: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
        case ok
        /// It asks for fewer requests until `until`.
        case limited
        /// It does not answer, and is left alone until `until`.
        case down
        /// The key is not accepted.
        case unauthorized
        /// It needs a key, and there is none.
        case noKey
    }

    package var name: String
    /// Its name for people.
    package var title: String
    /// The collection that its items are saved to.
    package var collection: String
    package var lists: [String]
    package var searches: Bool
    package var state: State
    /// Why it is not `ok`, and what to do; null where it is.
    @Nullable package var reason: String?
    @Nullable package var until: Moment?
    /// What must be shown where its data are; null where it asks for nothing.
    @Nullable package var attribution: String?
    /// Where one gets a key; null where it takes none.
    @Nullable package var keyPage: String?
    /// Since the daemon started: what was sent, what failed of that, and what needed no request.
    package var requests = 0
    package var failures = 0
    package var cacheHits = 0

    package init(name: String, title: String, collection: String, lists: [String], searches: Bool, state: State) {
        self.name = name
        self.title = title
        self.collection = collection
        self.lists = lists
        self.searches = searches
        self.state = state
    }
}

/// A picture of an item.
package struct CatalogPictureReply: Codable, Hashable, Sendable {
    /// `poster`, `backdrop`, `thumb`, `logo`, `fanart` or `banner`.
    package var kind: String
    /// Where it is in full.
    package var url: String
    /// Where it is in other sizes, by width in pixels.
    package var sizes: [String: String]

    package init(kind: String, url: String, sizes: [String: String]) {
        self.kind = kind
        self.url = url
        self.sizes = sizes
    }

    /// The smallest one that is at least `width` pixels wide; the full one where none is.
    package func url(width: Int) -> String {
        let fitting = sizes.compactMap { name, url in Int(name).map { (width: $0, url: url) } }
            .filter { $0.width >= width }
        return fitting.min { $0.width < $1.width }?.url ?? url
    }
}

/// One row of a set.
package struct CatalogRowReply: Codable, Hashable, Sendable {
    /// Its number in the set, from 1.
    package var number: Int
    /// Names it within the catalog.
    package var key: String
    /// What it would be saved as; what is not known is not there.
    package var fields: [String: JSONValue]
    /// What it is called by source: `tmdb`, `imdb`, ….
    package var ids: [String: String]
    /// The record that it is in the library; null where it is not there.
    @Nullable package var record: String?
    /// Its first picture; null where it has none.
    @Nullable package var picture: CatalogPictureReply?
    /// Whether it is a favourite of the person who was named; null where nobody was, or no favourites are kept.
    @Nullable package var favourite: Bool?
    /// What people say about the film; null where nobody does, or no reviews are kept.
    @Nullable package var reviews: FilmReviewsReply?

    package init(
        number: Int, key: String, fields: [String: JSONValue], ids: [String: String], record: String?,
        picture: CatalogPictureReply?
    ) {
        self.number = number
        self.key = key
        self.fields = fields
        self.ids = ids
        self.record = record
        self.picture = picture
    }
}

/// All that a catalog knows of one item.
package struct CatalogItemReply: Codable, Hashable, Sendable {
    package var catalog: String
    package var collection: String
    package var key: String
    package var fields: [String: JSONValue]
    package var ids: [String: String]
    /// The record that it is in the library; null where it is not there.
    @Nullable package var record: String?
    package var images: [CatalogPictureReply]
    /// Whether the source could not be asked, and this is what it said before.
    package var stale: Bool
    @Nullable package var attribution: String?

    package init(
        catalog: String, collection: String, key: String, fields: [String: JSONValue], ids: [String: String],
        record: String?, images: [CatalogPictureReply], stale: Bool, attribution: String?
    ) {
        self.catalog = catalog
        self.collection = collection
        self.key = key
        self.fields = fields
        self.ids = ids
        self.record = record
        self.images = images
        self.stale = stale
        self.attribution = attribution
    }
}
