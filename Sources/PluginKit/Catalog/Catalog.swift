/// A place where items can be found: one page in, one page out.
///
/// Pace, cache, doubles, sets, filters and saving are the same for all catalogs, above this. A catalog on the web is
/// written as a ``WebCatalog``; a plugin in another process is one of its own.
public protocol Catalog: Sendable {
    var description: CatalogDescription { get }

    /// Why it can't be asked at all, such as a missing key; nil where it can.
    ///
    /// Asked often: it reads at most a small file.
    var obstacle: CatalogError? { get }

    /// What it is asked with, such as the key, as a hash: another one says that what the catalog answered before, such as
    /// that too much was asked for, counts no more. Read as often as ``obstacle``.
    var access: Int { get }

    /// A page.
    ///
    /// - Parameter known: the validator of the page that the caller has; nil where it has none.
    func page(_ query: CatalogQuery, known: String?) async throws(CatalogError) -> CatalogReading<CatalogPage>

    /// All that is known of one item.
    ///
    /// - Parameter key: its ``CatalogRow/key``, or foreign text.
    func details(
        of key: String, language: String, known: String?
    ) async throws(CatalogError) -> CatalogReading<CatalogRow>
}

extension Catalog {
    /// That nothing but the question matters.
    public var access: Int { 0 }
}

/// What a catalog answers, and how long that may be taken for true.
public struct CatalogReading<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Nil where what the caller has is still true.
    public var value: Value?
    /// What to show the catalog when asking again.
    public var validator: String?
    /// For how many seconds nobody has to ask again; nil where the catalog does not say.
    public var maxAge: Int?

    public init(_ value: Value?, validator: String? = nil, maxAge: Int? = nil) {
        self.value = value
        self.validator = validator
        self.maxAge = maxAge
    }
}
