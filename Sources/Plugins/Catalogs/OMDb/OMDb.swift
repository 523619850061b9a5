public import PluginKit
internal import SyncModel

/// The Open Movie Database: https://www.omdbapi.com. Numbers and truths are strings there, and failures have status 200.
public struct OMDb: WebCatalog {
    public init() {}

    public var description: CatalogDescription {
        var description = CatalogDescription(
            name: "omdb", title: "OMDb", collection: "movies",
            attribution: "Film data from OMDb (https://www.omdbapi.com), CC BY-NC 4.0.",
            keyPage: "https://www.omdbapi.com/apikey.aspx", imageHosts: ["m.media-amazon.com", "ia.media-imdb.com"])
        // A key has so many requests a day.
        description.readsAhead = false
        return description
    }

    private static let pages = 1...100
    private static let rowsOfPage = 10

    // MARK: Requests

    public func request(for query: CatalogQuery, key: String?) throws(CatalogError) -> CatalogRequest {
        guard case .search(let text) = query.subject else { throw CatalogError(.refused, "omdb has no lists") }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw CatalogError(.refused, "there is nothing to search for")
        }
        var items = [("s", text), ("type", "movie"), ("page", String(try query.number(in: OMDb.pages)))]
        if let year = query.year { items.append(("y", String(year))) }
        return try request(items, key)
    }

    public func request(
        forDetails item: String, language: String, key: String?
    ) throws(CatalogError) -> CatalogRequest {
        guard item.hasPrefix("tt"), item.dropFirst(2).allSatisfy(\.isWholeNumber), item.utf8.count > 2 else {
            throw CatalogError(.notFound, "\"\(item)\" is not an id of omdb, such as tt0078748")
        }
        return try request([("i", item), ("plot", "full")], key)
    }

    private func request(
        _ query: [(name: String, value: String)], _ key: String?
    ) throws(CatalogError) -> CatalogRequest {
        guard let key else { throw CatalogError(.noKey, "omdb needs a key: see \(description.keyPage)") }
        return CatalogRequest(
            host: "www.omdbapi.com", path: [""], query: query + [("r", "json"), ("v", "1"), ("apikey", key)],
            secret: key)
    }

    // MARK: Answers

    public func page(of query: CatalogQuery, in answer: CatalogAnswer) throws(CatalogError) -> CatalogPage {
        let members: [String: JSONValue]
        do {
            members = try self.members(of: answer)
        } catch let error where error.code == .notFound {
            return CatalogPage(rows: [], total: 0)
        }
        guard case .array(let results)? = members["Search"] else {
            throw CatalogError(.unavailable, "omdb answered without results")
        }
        let rows = results.compactMap { $0.members.flatMap(row) }
        let number = try query.number(in: OMDb.pages)
        let total = SourceText.count(members["totalResults"]).map { Int(clamping: $0) }
        let rest = (total ?? 0) > number * OMDb.rowsOfPage
        return CatalogPage(
            rows: rows, next: rest && number < OMDb.pages.upperBound ? String(number + 1) : nil, total: total,
            skipped: results.count - rows.count,
            isTruncated: (total ?? 0) > OMDb.pages.upperBound * OMDb.rowsOfPage)
    }

    public func details(
        of item: String, language: String, in answer: CatalogAnswer
    ) throws(CatalogError) -> CatalogRow {
        let members = try members(of: answer)
        guard var row = row(members) else { throw CatalogError(.unavailable, "omdb answered without a title") }
        if let plot = SourceText.text(members["Plot"]) { row.fields["overview"] = .string(plot) }
        if let minutes = SourceText.text(members["Runtime"])?.split(separator: " ").first.flatMap({ Int64($0) }) {
            row.fields["runtime"] = .integer(minutes)
        }
        for (name, source) in [("genres", "Genre"), ("directors", "Director")] {
            let names = SourceText.list(members[source])
            if !names.isEmpty { row.fields[name] = .array(names.map { .string($0) }) }
        }
        return row
    }

    private func row(_ members: [String: JSONValue]) -> CatalogRow? {
        guard let id = SourceText.text(members["imdbID"]), let title = SourceText.text(members["Title"]) else {
            return nil
        }
        var row = CatalogRow(
            key: id, fields: ["title": .string(title), "imdbID": .string(id)], ids: ["imdb": id])
        if let year = SourceText.year(members["Year"]) { row.fields["year"] = .integer(year) }
        if let poster = SourceText.text(members["Poster"]), let image = image(poster) {
            row.fields["posterPath"] = .string(poster)
            row.images = [image]
        }
        return row
    }

    /// Old entries say `http:`.
    private func image(_ address: String) -> CatalogImage? {
        for scheme in ["https://", "http://"] where address.hasPrefix(scheme) {
            return CatalogImage(.poster, url: "https://" + address.dropFirst(scheme.count))
        }
        return nil
    }

    /// A spent day and a wrong key have the same status, and what is not there has none: the text tells.
    private func members(of answer: CatalogAnswer) throws(CatalogError) -> [String: JSONValue] {
        let members = try answer.members(from: "omdb")
        guard SourceText.text(members["Response"]) == "False" || answer.status >= 300 else { return members }
        let said = SourceText.text(members["Error"]) ?? "without a reason"
        let text = said.lowercased()
        if text.contains("limit reached") {
            throw CatalogError(.limited, "omdb: the requests of this day are used up")
        }
        if text.contains("api key") {
            throw CatalogError(
                .unauthorized, "omdb does not accept the key (\(said)): a new one works once its e-mail is answered")
        }
        if text.contains("not found") { throw CatalogError(.notFound, "omdb has no such film") }
        if text.contains("too many results") || text.contains("incorrect") {
            throw CatalogError(.refused, "omdb refused it: \(said)")
        }
        throw answer.error(from: "omdb", said) ?? CatalogError(.unavailable, "omdb answered: \(said)")
    }
}
