public import PluginKit
internal import SyncModel

/// The Movie Database: https://developer.themoviedb.org/reference.
public struct TMDB: WebCatalog {
    public init() {}

    public var description: CatalogDescription {
        var description = CatalogDescription(
            name: "tmdb", title: "The Movie Database", collection: "movies",
            lists: TMDB.lists.keys.sorted() + ["recent"],
            attribution: "This product uses the TMDB API but is not endorsed or certified by TMDB.",
            keyPage: "https://www.themoviedb.org/settings/api", imageHosts: ["image.tmdb.org"])
        description.imageSizes = CatalogImageSizes(
            base: "https://image.tmdb.org/t/p/", widths: [92, 154, 185, 342, 500, 780])
        description.speaksLanguages = true
        description.knowsRegions = true
        return description
    }

    /// The source gives out no more pages than these: "Pages start at 1 and max at 500".
    static let pages = 1...500
    private static let lists = [
        "now-playing": "now_playing", "popular": "popular", "top-rated": "top_rated", "upcoming": "upcoming",
    ]

    // MARK: Requests

    public func request(for query: CatalogQuery, key: String?) throws(CatalogError) -> CatalogRequest {
        var items: [(name: String, value: String)] = [("language", query.language)]
        items.append(("page", String(try query.number(in: TMDB.pages))))
        if let region = query.region { items.append(("region", region.uppercased())) }
        switch query.subject {
        case .search(let text):
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw CatalogError(.refused, "there is nothing to search for")
            }
            items += [("query", text), ("include_adult", "false")]
            if let year = query.year { items.append(("primary_release_year", String(year))) }
            return try request(["search", "movie"], items, key)
        case .list("recent"):
            // Without a vote it is a list of stubs.
            items += [
                ("sort_by", "primary_release_date.desc"), ("primary_release_date.lte", query.today),
                ("vote_count.gte", "1"), ("include_adult", "false"),
            ]
            if let year = query.year { items.append(("primary_release_year", String(year))) }
            return try request(["discover", "movie"], items, key)
        case .list(let name):
            guard let word = TMDB.lists[name] else {
                let lists = description.lists.joined(separator: ", ")
                throw CatalogError(.refused, "tmdb has no list \"\(name)\": there are \(lists)")
            }
            return try request(["movie", word], items, key)
        }
    }

    public func request(
        forDetails item: String, language: String, key: String?
    ) throws(CatalogError) -> CatalogRequest {
        // Foreign text never goes into a path.
        guard !item.isEmpty, item.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw CatalogError(.notFound, "\"\(item)\" is not the number of a film in tmdb")
        }
        let items = [
            ("language", language), ("append_to_response", "images,external_ids"),
            ("include_image_language", TMDB.imageLanguages(language).joined(separator: ",")),
        ]
        return try request(["movie", item], items, key)
    }

    /// The languages of wanted pictures, best first; `null` are those without text.
    static func imageLanguages(_ language: String) -> [String] {
        let wanted = String(language.prefix { $0 != "-" }).lowercased()
        return (wanted == "en" ? [] : [wanted]) + ["en", "null"]
    }

    /// A key of 32 hexadecimal digits goes into the query, a token into a header: neither works in the other's place.
    private func request(
        _ path: [String], _ query: [(name: String, value: String)], _ key: String?
    ) throws(CatalogError) -> CatalogRequest {
        guard let key else { throw CatalogError(.noKey, "tmdb needs a key: see \(description.keyPage)") }
        var request = CatalogRequest(host: "api.themoviedb.org", path: ["3"] + path, query: query, secret: key)
        if key.count == 32, key.allSatisfy(\.isHexDigit) {
            request.query.append(("api_key", key))
        } else {
            request.headers.append(("Authorization", "Bearer " + key))
        }
        return request
    }

    // MARK: Answers

    public func page(of query: CatalogQuery, in answer: CatalogAnswer) throws(CatalogError) -> CatalogPage {
        let members = try members(of: answer)
        guard case .array(let results)? = members["results"] else {
            throw CatalogError(.unavailable, "tmdb answered without results")
        }
        let rows = results.compactMap { $0.members.flatMap(TMDB.row) }
        let number = try query.number(in: TMDB.pages)
        let pages = members["total_pages"]?.whole.map { Int(clamping: $0) } ?? number
        return CatalogPage(
            rows: rows, next: number < min(pages, TMDB.pages.upperBound) ? String(number + 1) : nil,
            total: members["total_results"]?.whole.map { Int(clamping: $0) }, skipped: results.count - rows.count,
            isTruncated: pages > TMDB.pages.upperBound)
    }

    public func details(
        of item: String, language: String, in answer: CatalogAnswer
    ) throws(CatalogError) -> CatalogRow {
        let members = try members(of: answer)
        guard var row = TMDB.row(members) else { throw CatalogError(.unavailable, "tmdb answered without a title") }
        if let minutes = SourceText.count(members["runtime"]) { row.fields["runtime"] = .integer(minutes) }
        let external = members["external_ids"]?.members ?? [:]
        for (name, source) in [("imdb", "imdb_id"), ("wikidata", "wikidata_id")] {
            row.ids[name] = SourceText.text(external[source]) ?? SourceText.text(members[source])
        }
        row.images = TMDB.images(members["images"]?.members ?? [:], language, or: row.images)
        return row
    }

    private func members(of answer: CatalogAnswer) throws(CatalogError) -> [String: JSONValue] {
        let members = try answer.members(from: "tmdb")
        var message = SourceText.text(members["status_message"])
        if case .array(let errors)? = members["errors"] { message = errors.compactMap(\.text).first ?? message }
        if let error = answer.error(from: "tmdb", message) { throw error }
        // Its own codes stand in a body that may have any status.
        if members["success"]?.truth == false || members["errors"] != nil {
            throw CatalogError(.refused, "tmdb refused it: \(message ?? "without a reason")")
        }
        return members
    }
}
