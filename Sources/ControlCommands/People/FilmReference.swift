internal import ControlAPI
internal import JSONText
internal import SyncModel

/// A film that somebody says something about, in the library or not.
struct FilmReference: Hashable, Sendable {
    /// What stands for it in keys: its number at TMDB, as apps have it; else its name in another catalog, or its id.
    var key: String
    /// Nil where only a catalog can tell.
    var title: String?

    /// Its number at TMDB, where it has one.
    var number: Int64? { Int64(key) }
}

extension Session {
    /// The film that a text names: a number at TMDB, an item of a catalog (`tmdb:348`), or the id of a movie of the library,
    /// which may be shortened as long as it does not look like a number.
    func film(_ text: String) async throws -> FilmReference {
        if let number = Int64(text), number > 0, "\(number)" == text { return FilmReference(key: text) }
        if let name = CatalogItemName(text) {
            let item: CatalogItemReply = try await client.get(name.path, wait: Session.catalogPatience)
            let number = item.ids["tmdb"] ?? (name.catalog == "tmdb" ? name.key : nil)
            return FilmReference(key: number ?? text, title: item.fields["title"]?.text)
        }
        let record = try await client.record(try RecordPrefix(text), in: .default)
        return FilmReference(key: PersonFields.film(record), title: record.fields["title"]?.text)
    }

    /// What a film is called; nil where nobody can tell.
    ///
    /// - Throws: where the catalog could not be asked.
    func title(of film: FilmReference) async throws(CommandFailure) -> String? {
        if let title = await knownTitle(of: film) { return title }
        return try await titleInCatalog(of: film)
    }

    /// What a film is called where it was named, or in the library.
    func knownTitle(of film: FilmReference) async -> String? {
        if film.title != nil || film.number == nil { return film.title }
        let filter = RecordFilter([.init("tmdbID", .equals, film.key)])
        let found: [RecordReply]? = try? await client.all(
            "\(ControlRoute.records)/\(CollectionName.default)", ["where": filter.description], limit: 1)
        return found?.first?.fields["title"]?.text
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
