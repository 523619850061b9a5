/// Which page of a catalog is wanted.
public struct CatalogQuery: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        /// Items whose names are like this text.
        case search(String)
        /// A list that the catalog's description names.
        case list(String)
    }

    public var subject: Subject
    /// What the page before gave as ``CatalogPage/next``; nil for the first.
    public var page: String?
    /// The year of the items; nil for any.
    public var year: Int?
    /// The wanted language as BCP 47 has it.
    public var language: String
    /// The country whose dates count, as ISO 3166-1 has it; nil for none.
    public var region: String?
    /// The day on which it is asked: `yyyy-mm-dd`.
    public var today: String

    public init(
        _ subject: Subject, page: String? = nil, year: Int? = nil, language: String = "en", region: String? = nil,
        today: String
    ) {
        self.subject = subject
        self.page = page
        self.year = year
        self.language = language
        self.region = region
        self.today = today
    }

    /// The number of the page, for sources that count them from 1.
    ///
    /// - Throws: ``CatalogError/Code/refused`` where it is no number of `pages`.
    public func number(in pages: ClosedRange<Int>) throws(CatalogError) -> Int {
        guard let page else { return pages.lowerBound }
        guard let number = Int(page), pages.contains(number) else {
            throw CatalogError(
                .refused, "there is no page \"\(page)\": pages are \(pages.lowerBound) to \(pages.upperBound)")
        }
        return number
    }
}
