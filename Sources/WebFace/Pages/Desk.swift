internal import ControlAPI
internal import SyncModel

/// Makes pages of what the daemon answers.
struct Desk: Sendable {
    let daemon: DaemonServices
    let shelf: Shelf

    var service: any ControlService { daemon.service }

    /// The page at a path; nil where there is none.
    ///
    /// - Throws: ``ControlError`` where the daemon has no answer.
    func page(_ path: [String], _ query: Query, _ reader: Reader) async throws -> WebPage? {
        switch (path.first, path.count) {
        case (nil, _): try await library(LibraryView(query), reader)
        case ("film", 2): try await film(path[1], query, reader)
        case ("film", 3) where path[2] == "delete": try await confirmation(path[1], reader)
        case ("search", 1): try await search(query, reader)
        case ("favourites", 1): try await favourites(reader)
        case ("attention", 1): try await attention(query, reader)
        case ("status", 1): StatusPage(status: await daemon.status(), catalogs: await daemon.catalogs.catalogs()).page
        case ("about", 1):
            AboutPage(reader: reader, version: service.status().version, catalogs: await daemon.catalogs.catalogs())
                .page
        default: nil
        }
    }

    private func schema(_ collection: String) -> CollectionSchema? {
        service.schemas().first { $0.name == collection }
    }

    private func library(_ view: LibraryView, _ reader: Reader) async throws -> WebPage {
        guard let schema = schema(Responder.movies) else {
            return .message("Library", "The collection movies is not enabled on this node.")
        }
        let slices = view.slices(of: try await shelf.films())
        let films = await films(slices.flatMap(\.films))
        return LibraryPage(
            reader: reader, view: view, slices: slices, films: films,
            reviews: try await service.reviewTally(of: films.values.flatMap { PersonFields.films($0) }),
            favourites: try await service.favouriteFilms(of: reader.person) ?? [], titleField: schema.titleField
        ).page
    }

    /// Films as they are now, but those that are gone meanwhile.
    private func films(_ ids: [RecordID]) async -> [RecordID: RecordReply] {
        var films: [RecordID: RecordReply] = [:]
        for id in ids {
            guard let film = try? await service.record(id.description, in: Responder.movies), !film.deleted else {
                continue
            }
            films[id] = film
        }
        return films
    }

    private func film(_ id: String, _ query: Query, _ reader: Reader) async throws -> WebPage {
        let why = try await service.why(id, in: Responder.movies)
        let history = try await service.history(
            of: why.record.id, in: Responder.movies, after: query["history"], limit: Desk.entries)
        let keys = try await service.films(why.record)
        let votes = reader.collections.contains("votes") ? try await records(in: "votes", under: keys) : []
        var (reviews, profiles): ([ReviewReply]?, [String: RecordReply]) = (nil, [:])
        if reader.collections.contains("reviews") {
            let records = try await records(in: "reviews", under: keys)
            profiles = try await service.profiles(ofAuthorsOf: records)
            reviews = ReviewReply.all(records, votes: votes, profiles: profiles)
        }
        var isFavourite: Bool?
        if reader.collections.contains("favourites") {
            let own = try? await service.record(
                withFirstOf: keys.map { "\(reader.person)/\($0)" }, in: "favourites")
            isFavourite = own != nil
        }
        let own = votes.filter { $0.fields["uid"]?.text == reader.person }.compactMap { vote in
            vote.fields["author"]?.text.map { ($0, vote.fields["vote"]?.whole ?? 0) }
        }
        return FilmPage(
            reader: reader, why: why, history: history,
            schema: schema(Responder.movies)
                ?? CollectionSchema(name: Responder.movies, titleField: "title", columns: []),
            reviews: reviews, profiles: profiles, isFavourite: isFavourite,
            votes: Dictionary(own) { first, _ in first }
        ).page
    }

    /// What people say about a film that these stand for in keys.
    private func records(in collection: String, under keys: [String]) async throws -> [RecordReply] {
        var records: [RecordReply] = []
        for key in keys { records += try await service.records(in: collection, under: key) }
        return records
    }

    /// So many entries of a history are on one page.
    private static let entries = 50

    private func confirmation(_ id: String, _ reader: Reader) async throws -> WebPage? {
        guard reader.mayChange else { return nil }
        let film = try await service.record(id, in: Responder.movies)
        guard !film.deleted else { throw ControlError(409, "deleted", "this film is deleted already") }
        let title = film.fields[schema(Responder.movies)?.titleField ?? "title"]?.text ?? film.id
        return WebPage(
            "Delete a film", place: "/",
            [.init(id: "confirm", template: .confirm, model: ["id": .text(film.id), "title": .text(title)])])
    }

    private func search(_ query: Query, _ reader: Reader) async throws -> WebPage {
        let catalogs = await daemon.catalogs.catalogs()
        let words = query["query"]?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        let chosen = query["catalog"] ?? catalogs.first { $0.searches && $0.collection == Responder.movies }?.name
        var found: CatalogSetReply?
        if let set = query["set"] {
            found = try await daemon.catalogs.set(set, CatalogSetView(), user: nil)
        } else if let chosen, let list = query["list"] {
            found = try await daemon.catalogs.list(chosen, list, CatalogListOrder(), user: nil)
        } else if let chosen, !words.isEmpty {
            let order = CatalogSearchOrder(query: words, year: query["year"].flatMap { Int($0) })
            found = try await daemon.catalogs.search(chosen, order, user: nil)
        }
        let marked = try await found?.marked(by: try await service.favouriteFilms(of: reader.person), service)
        return SearchPage(
            reader: reader, catalogs: catalogs, chosen: found?.catalog ?? chosen, query: found?.query ?? words,
            year: query["year"] ?? "", found: marked
        ).page
    }

    private func favourites(_ reader: Reader) async throws -> WebPage {
        let profile = try await service.profile(of: reader.person)
        guard reader.collections.contains("favourites") else {
            return FavouritesPage(reader: reader, profile: profile, favourites: nil, films: [:]).page
        }
        let favourites = FavouriteReply.all(try await service.records(in: "favourites", under: reader.person))
        var films: [String: String] = [:]
        for favourite in favourites where RecordID(favourite.film) != nil { films[favourite.film] = favourite.film }
        return FavouritesPage(reader: reader, profile: profile, favourites: favourites, films: films).page
    }

    private func attention(_ query: Query, _ reader: Reader) async throws -> WebPage {
        let limit = ControlRoute.defaultLimit
        let quarantine = try await service.quarantine(after: query["quarantine"], limit: limit)
        let conflicts = try await service.conflicts(after: query["conflicts"], limit: limit)
        return AttentionPage(
            reader: reader, holds: try await service.holds(), quarantine: quarantine.items,
            conflicts: conflicts.items, next: (quarantine.next, conflicts.next)
        ).page
    }
}
