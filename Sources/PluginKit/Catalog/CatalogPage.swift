public import SyncModel

/// One page of a catalog, in the source's order.
public struct CatalogPage: Hashable, Sendable {
    public var rows: [CatalogRow]
    /// What asks for the next page; nil where this is the last.
    public var next: String?
    /// How many items there are in all, where the source says.
    public private(set) var total: Int?
    /// How many rows could not be read.
    public var skipped: Int
    /// The source has more than it gives out.
    public var isTruncated: Bool

    public init(
        rows: [CatalogRow], next: String? = nil, total: Int? = nil, skipped: Int = 0, isTruncated: Bool = false
    ) {
        self.rows = rows
        self.next = next
        // Less than none means nothing.
        self.total = total.flatMap { $0 < 0 ? nil : $0 }
        self.skipped = skipped
        self.isTruncated = isTruncated
    }
}

/// An item of a catalog: what is known of it, and nothing else.
public struct CatalogRow: Hashable, Sendable {
    /// Names the item within the catalog.
    public var key: String
    /// Its fields as the collection spells them; the collection's title field is always there.
    public var fields: [String: JSONValue]
    /// What other sources call it too: `imdb`, `wikidata`, ….
    public var ids: [String: String]
    /// Its pictures, the best first.
    public var images: [CatalogImage]

    public init(
        key: String, fields: [String: JSONValue], ids: [String: String] = [:], images: [CatalogImage] = []
    ) {
        self.key = key
        self.fields = fields
        self.ids = ids
        self.images = images
    }
}

/// A picture of an item.
public struct CatalogImage: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case poster, backdrop, thumb, logo, fanart, banner }

    public var kind: Kind
    /// Where the picture is in full.
    public var url: String
    /// Where it is in other sizes, by width in pixels.
    public var sizes: [Int: String]

    public init(_ kind: Kind, url: String, sizes: [Int: String] = [:]) {
        self.kind = kind
        self.url = url
        self.sizes = sizes
    }

    /// The smallest one that is at least `width` pixels wide; the full one where none is.
    public func url(width: Int) -> String {
        sizes.filter { $0.key >= width }.min { $0.key < $1.key }?.value ?? url
    }
}
