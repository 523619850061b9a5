internal import ControlAPI
internal import SyncModel

/// What catalogs have: a search, a list, and what was found.
struct SearchPage: Sendable {
    let reader: Reader
    let catalogs: [CatalogReply]
    /// The name of the catalog that is asked.
    let chosen: String?
    let query: String
    let year: String
    let found: CatalogSetReply?

    var page: WebPage {
        WebPage(
            "Search", place: "/search",
            [
                .init(id: "asking", template: .search, model: asking),
                .init(id: "found", template: .found, model: results),
            ])
    }

    private var asking: Model {
        let lists = catalogs.flatMap { catalog in
            catalog.lists.map { list -> Model in
                let path = "/search?catalog=\(PercentEncoding.encoded(catalog.name))"
                return [
                    "path": .text("\(path)&list=\(PercentEncoding.encoded(list))"),
                    "name": .text("\(catalog.title): \(list)"),
                ]
            }
        }
        let searched = catalogs.filter(\.searches)
        return [
            "catalogs": .list(
                searched.map {
                    [
                        "name": .text($0.name), "title": .text($0.title), "isChosen": .flag($0.name == chosen),
                    ]
                }), "isOff": .flag(searched.isEmpty), "query": .text(query), "year": .text(year),
            "lists": .list(lists), "hasLists": .flag(!lists.isEmpty),
            "troubles": .list(
                catalogs.compactMap { catalog in
                    catalog.reason.map { ["text": .text("\(catalog.title): \($0)")] }
                }),
        ]
    }

    private var results: Model {
        guard let found else { return ["hasSearched": false] }
        return reader.model.with([
            "hasSearched": true, "set": .text(found.set), "rows": .list(found.rows.map(row)),
            "isEmpty": .flag(found.rows.isEmpty), "hasRows": .flag(!found.rows.isEmpty),
            "more": .flag(found.more && reader.mayChange), "isStale": .flag(found.stale),
            "canBeWatched": .flag(found.collection == Responder.movies),
            "words": .text(
                found.total.map { "\(found.held.grouped) of \($0.grouped)" } ?? Shown.count(found.held, "result")),
            "attribution": .maybe(found.attribution),
        ])
    }

    private func row(_ row: CatalogRowReply) -> Model {
        let title = row.fields["title"]?.text ?? row.fields["name"]?.text ?? row.key
        let isFilm = found?.collection == Responder.movies
        return [
            "number": .text("\(row.number)"), "title": .text(title),
            "year": .text(row.fields["year"]?.whole.map(String.init) ?? ""),
            "overview": .text(row.fields["overview"]?.text ?? ""),
            "picture": .maybe(row.picture.flatMap { Shown.picture($0.url(width: 92), width: 92) }),
            "isThere": .flag(row.record != nil), "film": .maybe(isFilm ? row.record.map { "/film/\($0)" } : nil),
            "isFavourite": .flag(row.favourite == true), "reviews": .maybe(row.reviews?.words),
            "mayTick": .flag(reader.mayChange && row.record == nil),
        ]
    }
}
