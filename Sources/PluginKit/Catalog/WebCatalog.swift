public import SyncModel

/// A catalog that is asked over HTTP: which requests it takes, and what their answers say.
///
/// ## Writing a catalog
/// - One page in, one page out, details by key. Pace, cache, retries, doubles and saving are the same for all, above it.
/// - Everything here is pure: it sends nothing, and the same arguments give the same answer.
/// - What a source spells for "not known" (`null`, `""`, `"N/A"`, `"0"`) never becomes a field.
/// - A row that can't be read is left out and counted in ``CatalogPage/skipped``; it never costs the page.
public protocol WebCatalog: Sendable {
    var description: CatalogDescription { get }

    /// What to ask for a page.
    ///
    /// - Parameter key: the credential, as the operator was given it; nil where there is none.
    /// - Throws: ``CatalogError`` where the source can't be asked this at all, or needs a key.
    func request(for query: CatalogQuery, key: String?) throws(CatalogError) -> CatalogRequest

    /// What the answer to ``request(for:key:)`` shows.
    func page(of query: CatalogQuery, in answer: CatalogAnswer) throws(CatalogError) -> CatalogPage

    /// What to ask for all that is known of one item.
    ///
    /// - Parameter item: its ``CatalogRow/key``, or foreign text.
    func request(forDetails item: String, language: String, key: String?) throws(CatalogError) -> CatalogRequest

    /// What the answer to ``request(forDetails:language:key:)`` shows.
    func details(of item: String, language: String, in answer: CatalogAnswer) throws(CatalogError) -> CatalogRow
}

/// What a catalog is, and what it can be asked.
public struct CatalogDescription: Hashable, Sendable {
    /// The word in commands and routes, such as `tmdb`.
    public var name: String
    /// Its name for people.
    public var title: String
    /// The collection that its items are saved to.
    public var collection: CollectionID
    /// The lists that it has beside a search, such as `popular`.
    public var lists: [String]
    /// What must be shown where its data are.
    public var attribution: String
    /// Where one gets a key.
    public var keyPage: String
    /// Used where none is configured; nil where the source needs one's own.
    public var defaultKey: String?
    /// The hosts that pictures may be fetched from.
    public var imageHosts: Set<String>
    /// The sizes in which the source has its pictures; nil where it has one size only.
    public var imageSizes: CatalogImageSizes?
    /// How many requests it takes at once.
    public var burst = 20
    /// How many it takes every second after that.
    public var requestsPerSecond = 20.0
    /// Whether it can be searched, and knows details.
    public var searches = true
    public var knowsDetails = true
    /// Whether the next page may be asked for before anybody wants it; not where each request counts.
    public var readsAhead = true
    /// Whether its answers depend on the wanted language, and on a country.
    public var speaksLanguages = false
    public var knowsRegions = false

    public init(
        name: String, title: String, collection: CollectionID, lists: [String] = [], attribution: String,
        keyPage: String, defaultKey: String? = nil, imageHosts: Set<String>
    ) {
        self.name = name
        self.title = title
        self.collection = collection
        self.lists = lists
        self.attribution = attribution
        self.keyPage = keyPage
        self.defaultKey = defaultKey
        self.imageHosts = imageHosts
    }
}
