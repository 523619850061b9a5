internal import PluginKit
internal import SyncModel

/// Rows and pictures as the source spells them.
extension TMDB {
    /// A film of a list or of details; nil where it has no id or no title.
    static func row(_ members: [String: JSONValue]) -> CatalogRow? {
        guard let number = members["id"]?.whole, number > 0, let title = SourceText.text(members["title"]) else {
            return nil
        }
        var row = CatalogRow(
            key: String(number), fields: ["title": .string(title), "tmdbID": .integer(number)],
            ids: ["tmdb": String(number)])
        if let year = SourceText.year(members["release_date"]) { row.fields["year"] = .integer(year) }
        if let original = SourceText.text(members["original_title"]), original != title {
            row.fields["originalTitle"] = .string(original)
        }
        if let overview = SourceText.text(members["overview"]) { row.fields["overview"] = .string(overview) }
        for (name, source, kind) in [
            ("posterPath", "poster_path", CatalogImage.Kind.poster), ("backdropPath", "backdrop_path", .backdrop),
        ] {
            guard let path = SourceText.text(members[source]), let image = image(kind, path) else { continue }
            row.fields[name] = .string(path)
            row.images.append(image)
        }
        return row
    }

    private static let widths: [CatalogImage.Kind: [Int]] = [
        .poster: [92, 154, 185, 342, 500, 780], .backdrop: [300, 780, 1280],
    ]

    /// A picture by its path, which begins with a slash; nil for any other text.
    private static func image(_ kind: CatalogImage.Kind, _ path: String) -> CatalogImage? {
        guard path.first == "/", path.utf8.allSatisfy({ $0 > 32 && $0 < 127 }), !path.contains("..") else { return nil }
        let base = "https://image.tmdb.org/t/p/"
        let sizes = (widths[kind] ?? []).map { ($0, "\(base)w\($0)\(path)") }
        return CatalogImage(kind, url: base + "original" + path, sizes: Dictionary(uniqueKeysWithValues: sizes))
    }

    /// Posters in the wanted language, then English ones, then those without text; backdrops without text first. The two of
    /// the film itself come before their like.
    static func images(
        _ members: [String: JSONValue], _ language: String, or own: [CatalogImage]
    ) -> [CatalogImage] {
        let wanted = imageLanguages(language)
        let posters = sorted(members["posters"], .poster, wanted)
        let backdrops = sorted(members["backdrops"], .backdrop, ["null"] + wanted.dropLast())
        var seen: Set<String> = []
        return ((own.filter { $0.kind == .poster } + posters) + (own.filter { $0.kind == .backdrop } + backdrops))
            .filter { seen.insert($0.url).inserted }
    }

    private static func sorted(
        _ value: JSONValue?, _ kind: CatalogImage.Kind, _ languages: [String]
    ) -> [CatalogImage] {
        guard case .array(let entries)? = value else { return [] }
        let ranked = entries.compactMap { entry -> (rank: Int, image: CatalogImage)? in
            guard let members = entry.members, let path = SourceText.text(members["file_path"]),
                let image = image(kind, path)
            else { return nil }
            let language = SourceText.text(members["iso_639_1"]) ?? "null"
            return (languages.firstIndex(of: language) ?? languages.count, image)
        }
        // The source's own order, its votes, within a language.
        return ranked.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.image)
    }
}
