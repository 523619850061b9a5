package import SyncModel

// What stands for a film in keys. A film may be named before all is known of it, so that things said of it stand under
// several keys: what is new gets the first one, and what is there is looked for under all of them.
extension PersonFields {
    /// What stands for a movie of the library in keys: its number at TMDB, as apps have it; else its name in another
    /// catalog, else its id.
    package static func film(_ record: RecordReply) -> String { films(record)[0] }

    /// The same, and all else that may have stood for it; never empty, each once.
    package static func films(_ record: RecordReply) -> [String] { films(record.fields, of: record.id) }

    /// The same for a movie with these fields; of a deleted one, what it had before.
    package static func films(_ fields: [String: JSONValue], of id: String) -> [String] {
        let ids = fields["ids"]?.members
        let number = (ids?["tmdb"] ?? fields["tmdbID"])?.whole.flatMap { $0 > 0 ? "\($0)" : nil }
        let imdb = ids?["imdb"]?.text ?? fields["imdbID"]?.text
        return films(tmdb: ids?["tmdb"]?.text ?? number, imdb: imdb, otherwise: [id])
    }

    /// What stands for an item of a catalog in keys, whatever is known of it: the first is for what is new.
    ///
    /// - Parameters:
    ///   - ids: what it is called by source.
    ///   - record: the record that it is in the library; nil where it is not there.
    package static func films(
        _ ids: [String: String], key: String, of catalog: String, record: String? = nil
    ) -> [String] {
        let own = catalog == "tmdb" ? key : "\(catalog):\(key)"
        return films(
            tmdb: ids["tmdb"] ?? (catalog == "tmdb" ? key : nil), imdb: ids["imdb"],
            otherwise: [own] + [record].compactMap(\.self))
    }

    private static func films(tmdb: String?, imdb: String?, otherwise: [String]) -> [String] {
        let isName = imdb?.isEmpty == false && imdb?.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } == true
        let named = isName ? imdb.map { "omdb:\($0)" } : nil
        let known = [tmdb?.isEmpty == true ? nil : tmdb, named].compactMap(\.self)
        return (known + otherwise).reduce(into: []) { films, film in
            if !films.contains(film) { films.append(film) }
        }
    }
}

extension RecordReply {
    /// Whether it is one of the films that these stand for in keys.
    package func isAmong(_ films: Set<String>) -> Bool {
        !films.isEmpty && !films.isDisjoint(with: PersonFields.films(self))
    }
}

extension HistoryReply {
    /// What the record had when it was deleted last, as far as that is kept and among these entries.
    package var fieldsBeforeDelete: [String: JSONValue] {
        let deletion = items.first { $0.op == "delete" }
        return (deletion?.fields ?? []).reduce(into: [:]) { fields, field in fields[field.name] = field.before }
    }
}
