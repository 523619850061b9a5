public import PluginKit
internal import SyncModel

/// TheAudioDB: https://www.theaudiodb.com/free_music_api. Every value is a string or null, and its id alone names an artist.
public struct AudioDB: WebCatalog {
    public init() {}

    public var description: CatalogDescription {
        var description = CatalogDescription(
            name: "audiodb", title: "TheAudioDB", collection: "artists",
            attribution: "Artist data from TheAudioDB (https://www.theaudiodb.com).",
            keyPage: "https://www.theaudiodb.com/pricing", defaultKey: "123",
            imageHosts: ["r2.theaudiodb.com", "www.theaudiodb.com"])
        description.burst = 3
        description.requestsPerSecond = 0.5
        description.speaksLanguages = true
        return description
    }

    // MARK: Requests

    public func request(for query: CatalogQuery, key: String?) throws(CatalogError) -> CatalogRequest {
        guard case .search(let text) = query.subject else { throw CatalogError(.refused, "audiodb has no lists") }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw CatalogError(.refused, "there is nothing to search for")
        }
        _ = try query.number(in: 1...1)
        return request("search.php", ("s", text), key)
    }

    public func request(
        forDetails item: String, language: String, key: String?
    ) throws(CatalogError) -> CatalogRequest {
        guard !item.isEmpty, item.allSatisfy(\.isWholeNumber) else {
            throw CatalogError(.notFound, "\"\(item)\" is not the number of an artist in audiodb")
        }
        return request("artist.php", ("i", item), key)
    }

    private func request(_ method: String, _ item: (name: String, value: String), _ key: String?) -> CatalogRequest {
        let key = key ?? description.defaultKey ?? ""
        return CatalogRequest(
            host: "www.theaudiodb.com", path: ["api", "v1", "json", key, method], query: [item],
            secret: key == description.defaultKey ? nil : key)
    }

    // MARK: Answers

    public func page(of query: CatalogQuery, in answer: CatalogAnswer) throws(CatalogError) -> CatalogPage {
        let entries = try entries(of: answer)
        let rows = entries.compactMap { $0.members.flatMap { row($0, query.language) } }
        return CatalogPage(rows: rows, total: entries.count, skipped: entries.count - rows.count)
    }

    public func details(
        of item: String, language: String, in answer: CatalogAnswer
    ) throws(CatalogError) -> CatalogRow {
        let rows = try entries(of: answer).compactMap { $0.members.flatMap { row($0, language) } }
        // The free key's methods answer null also where they are limited.
        guard let row = rows.first(where: { $0.key == item }) else {
            throw CatalogError(.notFound, "audiodb shows no artist \(item) to this key")
        }
        return row
    }

    /// `null` is a list of none.
    private func entries(of answer: CatalogAnswer) throws(CatalogError) -> [JSONValue] {
        if let error = answer.error(from: "audiodb", nil) { throw error }
        switch try answer.members(from: "audiodb")["artists"] {
        case .array(let entries): return entries
        case .null: return []
        default: throw CatalogError(.unavailable, "audiodb answered without artists")
        }
    }

    private func row(_ members: [String: JSONValue], _ language: String) -> CatalogRow? {
        guard let id = SourceText.text(members["idArtist"]), let name = SourceText.text(members["strArtist"]) else {
            return nil
        }
        var row = CatalogRow(key: id, fields: ["name": .string(name)], ids: ["audiodb": id])
        if let year = SourceText.count(members["intFormedYear"]) { row.fields["yearFormed"] = .integer(year) }
        if let genre = SourceText.text(members["strGenre"]) { row.fields["genre"] = .string(genre) }
        if let text = biography(members, language) { row.fields["biography"] = .string(text) }
        row.ids["musicbrainz"] = SourceText.text(members["strMusicBrainzID"])
        for (name, kind) in AudioDB.pictures {
            guard let address = SourceText.text(members[name]), address.hasPrefix("https://") else { continue }
            row.images.append(CatalogImage(kind, url: address))
        }
        return row
    }

    private static let pictures: [(name: String, kind: CatalogImage.Kind)] = [
        ("strArtistThumb", .thumb), ("strArtistFanart", .fanart), ("strArtistFanart2", .fanart),
        ("strArtistFanart3", .fanart), ("strArtistFanart4", .fanart), ("strArtistWideThumb", .thumb),
        ("strArtistBanner", .banner), ("strArtistLogo", .logo),
    ]

    /// Some of the source's suffixes are countries.
    private static let suffixes = ["zh": "CN", "ja": "JP", "he": "IL", "sv": "SE"]

    /// In the wanted language, else in English, else in any, the first by its suffix.
    private func biography(_ members: [String: JSONValue], _ language: String) -> String? {
        let wanted = String(language.prefix { $0 != "-" }).lowercased()
        let names = members.keys.filter { $0.hasPrefix("strBiography") }.sorted()
        let preferred = ["strBiography" + (AudioDB.suffixes[wanted] ?? wanted.uppercased()), "strBiographyEN"]
        return (preferred + names).lazy.compactMap { SourceText.text(members[$0]) }.first
    }
}
