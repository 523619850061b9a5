internal import PluginKit
internal import SyncModel

/// What a search or a list has found so far, numbered from 1.
struct ResultSet: Sendable {
    /// So many rows, with those that were skipped or doubles, end a walk: there are sources that never do. It is twice what
    /// any of ours gives out, in both passes.
    private static let most = 40_000

    let id: String
    let catalog: String
    let collection: CollectionID
    /// What was asked for first.
    let query: CatalogQuery
    private(set) var rows: [CatalogRow] = []
    private(set) var next: String?
    private(set) var total: Int?
    private(set) var duplicatesDropped = 0
    private(set) var skipped = 0
    private(set) var isTruncated = false
    private(set) var isStale = false
    /// Whether the pages are read once more, for what moved between them.
    private(set) var isSecondPass = false
    private var keys: Set<String> = []

    init(id: String, catalog: String, collection: CollectionID, query: CatalogQuery) {
        self.id = id
        self.catalog = catalog
        self.collection = collection
        self.query = query
    }

    /// The question for the page after the last one; nil at the end.
    var nextQuery: CatalogQuery? {
        guard let next else { return nil }
        var query = query
        query.page = next
        return query
    }

    /// Adds a page and gives the numbers of its new rows.
    ///
    /// A page of which every row is known ends the walk, though there may be more: there are sources whose pages repeat for
    /// ever. In a second pass such pages are the rule. So does a page after very many rows.
    @discardableResult
    mutating func add(_ page: CatalogPage, isStale: Bool) -> Range<Int> {
        let first = rows.count
        for row in page.rows {
            if keys.insert(row.key).inserted { rows.append(row) } else { duplicatesDropped += 1 }
        }
        skipped += page.skipped
        total = page.total ?? total
        isTruncated = isTruncated || page.isTruncated
        self.isStale = self.isStale || isStale
        let isNew = rows.count > first || page.rows.isEmpty && page.skipped > 0
        next = isNew || isSecondPass ? page.next : nil
        if next == nil, page.next != nil { isTruncated = true }
        if next != nil, rows.count + skipped + duplicatesDropped >= ResultSet.most { (next, isTruncated) = (nil, true) }
        return first + 1..<rows.count + 1
    }

    /// Begins the second pass; the question for its first page.
    mutating func again() -> CatalogQuery {
        (isSecondPass, isTruncated) = (true, false)
        return query
    }

    /// The numbers of the rows that hold this text, in any case and with any accents; all for nil.
    func numbers(holding filter: String?) -> [Int] {
        guard let wanted = filter?.folded, !wanted.isEmpty else { return Array(1..<rows.count + 1) }
        return rows.indices.filter { index in
            ["title", "originalTitle", "name", "year", "yearFormed"].contains { field in
                ResultSet.text(rows[index].fields[field]).folded.contains(wanted)
            }
        }.map { $0 + 1 }
    }

    private static func text(_ value: JSONValue?) -> String { value?.text ?? value?.whole.map(String.init) ?? "" }

    /// - Parameter number: from 1; any may be asked for.
    func row(_ number: Int) -> CatalogRow? { number >= 1 && number <= rows.count ? rows[number - 1] : nil }
}
