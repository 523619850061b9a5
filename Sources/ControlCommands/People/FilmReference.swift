internal import ControlAPI
internal import JSONText
internal import SyncModel

/// A film that somebody says something about, in the library or not.
struct FilmReference: Hashable, Sendable {
    /// What stands for it in keys: its number at TMDB, as apps have it; else its name in another catalog, or its id.
    var key: String
    /// What else may have stood for it, when less was known of it.
    private(set) var others: [String]
    /// Nil where only a catalog can tell.
    var title: String?

    /// - Parameter others: `key` among them is passed over.
    init(key: String, others: [String] = [], title: String? = nil) {
        self.key = key
        self.others = others.reduce(into: []) { keys, other in
            if other != key, !keys.contains(other) { keys.append(other) }
        }
        self.title = title
    }

    /// All that may stand for it, what is for anything new first.
    var keys: [String] { [key] + others }

    /// Its number at TMDB, where it has one.
    var number: Int64? { Int64(key) }

    /// Which movies of the library it is; nil where its key does not tell.
    var filter: RecordFilter? {
        if number != nil { return RecordFilter([.init("tmdbID", .equals, key)]) }
        guard key.hasPrefix("omdb:") else { return nil }
        return RecordFilter([.init("imdbID", .equals, String(key.dropFirst(5)))])
    }
}

extension FilmReference {
    init(_ movie: RecordReply) {
        self.init(
            key: PersonFields.film(movie), others: PersonFields.films(movie), title: movie.fields["title"]?.text)
    }
}

extension Session {
    /// The film that a text names: a number at TMDB, an item of a catalog (`tmdb:348`), or the id of a movie of the library,
    /// which may be shortened as long as it does not look like a number.
    ///
    /// - Parameter isExact: whether an id has to be whole.
    func film(_ text: String, isExact: Bool = false) async throws -> FilmReference {
        if let number = Int64(text), number > 0, "\(number)" == text { return FilmReference(key: text) }
        if let name = CatalogItemName(text) { return try await film(name) }
        let prefix = try RecordPrefix(text)
        guard prefix.isWhole || !isExact else { throw CommandFailure(.usage, "'\(text)' is no film") }
        do {
            let movie = try await client.record(prefix, in: .default)
            guard movie.deleted else { return FilmReference(movie) }
            return (try? await deletedFilm(movie.id)) ?? FilmReference(movie)
        } catch let failure as CommandFailure where failure.word == "unknownRecord" && prefix.isWhole {
            // The change feed may know one that is gone for long.
            guard let film = try? await deletedFilm(prefix.text) else { throw failure }
            return film
        }
    }

    private func film(_ name: CatalogItemName) async throws -> FilmReference {
        let item: CatalogItemReply = try await client.get(name.path, wait: Session.catalogPatience)
        var films = PersonFields.films(item.ids, key: name.key, of: name.catalog, record: item.record)
        if let id = item.record, let movie = try? await client.record(try RecordPrefix(id), in: .default) {
            films += PersonFields.films(movie)
        }
        return FilmReference(key: films[0], others: films, title: item.fields["title"]?.text)
    }

    private func deletedFilm(_ id: String) async throws -> FilmReference {
        let history: HistoryReply = try await client.get("\(ControlRoute.history)/\(CollectionName.default)/\(id)")
        let films = PersonFields.films(history.fieldsBeforeDelete, of: id)
        return FilmReference(key: films[0], others: films)
    }

    /// The same film with what the library says of it, where it was named by its number, or its name at OMDb, alone.
    func completed(_ film: FilmReference) async -> FilmReference {
        guard film.title == nil, film.others.isEmpty, let filter = film.filter else { return film }
        let found: [RecordReply]? = try? await client.all(
            "\(ControlRoute.records)/\(CollectionName.default)", ["where": filter.description], limit: 1)
        guard let movie = found?.first else { return film }
        return FilmReference(key: film.key, others: PersonFields.films(movie), title: movie.fields["title"]?.text)
    }

    /// What is there of a film that a text names, under any of its keys; a catalog is asked only where nothing stands
    /// under the name that it has there.
    ///
    /// - Parameter key: of a record in `collection`, made of what stands for the film.
    func records(
        of text: String, in collection: CollectionName, _ key: (String) -> String
    ) async throws -> [RecordReply] {
        if let name = CatalogItemName(text) {
            let film = await completed(FilmReference(key: name.film))
            let found = try await records(withKeys: film.keys.map(key), in: collection)
            if !found.isEmpty { return found }
        }
        return try await records(of: try await film(text), in: collection, key)
    }

    /// The same of a film; what the library says of it is asked for only where nothing is there otherwise.
    func records(
        of film: FilmReference, in collection: CollectionName, _ key: (String) -> String
    ) async throws -> [RecordReply] {
        let found = try await records(withKeys: film.keys.map(key), in: collection)
        guard found.isEmpty else { return found }
        let more = await completed(film).keys.filter { !film.keys.contains($0) }
        return try await records(withKeys: more.map(key), in: collection)
    }

    private func records(withKeys keys: [String], in collection: CollectionName) async throws -> [RecordReply] {
        var records: [RecordReply] = []
        for key in keys {
            if let record = try await record(withKey: key, in: collection) { records.append(record) }
        }
        return records
    }

    /// What a film is called; nil where nobody can tell.
    ///
    /// - Throws: where the catalog could not be asked.
    func title(of film: FilmReference) async throws(CommandFailure) -> String? {
        if let title = film.title { return title }
        return try await titleInCatalog(of: film)
    }

    /// What a catalog calls it.
    ///
    /// - Throws: where that could not be asked.
    func titleInCatalog(of film: FilmReference) async throws(CommandFailure) -> String? {
        guard film.number != nil else { return nil }
        do {
            let item: CatalogItemReply = try await client.get(
                CatalogItemName(catalog: "tmdb", key: film.key).path, wait: Session.catalogPatience)
            return item.fields["title"]?.text
        } catch let failure as CommandFailure where Session.isPassing(failure) {
            throw failure
        } catch {
            return nil
        }
    }

    /// Whether a catalog may say more later, or with another key. Without one, nobody can tell.
    private static func isPassing(_ failure: CommandFailure) -> Bool {
        failure.code == .tryAgain || failure.word == "unauthorized"
    }

    /// A new record whose key is made of its fields.
    func creation(
        of fields: [String: JSONValue], in collection: CollectionName, _ target: EditTarget
    ) async throws -> JournalEdit {
        let schema = try await schema(of: collection, target)
        let id = try AddCommand.id(of: fields, in: schema)
        return JournalEdit(.create, in: collection, id, fields: schema.defaults.merging(fields) { $1 })
    }

    /// The record with a key that is made of fields; nil where there is none, or it is deleted.
    func record(withKey key: String, in collection: CollectionName) async throws -> RecordReply? {
        do {
            let prefix = RecordPrefix(of: .named(key, in: collection.id))
            let record = try await client.record(prefix, in: collection)
            return record.deleted ? nil : record
        } catch let failure as CommandFailure where failure.word == "unknownRecord" {
            return nil
        }
    }
}
