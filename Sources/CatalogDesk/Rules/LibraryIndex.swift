internal import PluginKit
internal import SyncModel

/// Which items of catalogs are in the library: by the ids that its records have, or by title and year where a record has
/// no id of the item's source.
///
/// Of each record only hashes are kept, so that a million of them fit.
struct LibraryIndex: Sendable {
    /// Sources that give ids to films that are found in other sources too.
    private static let sources = ["tmdb", "imdb"]

    private var records: [Int: RecordID] = [:]
    private var hashes: [RecordID: [Int]] = [:]

    var count: Int { hashes.count }

    /// Takes over a record as it is now; nil where it is deleted.
    mutating func put(_ id: RecordID, _ fields: [String: JSONValue]?, titleField: String) {
        for hash in hashes.removeValue(forKey: id) ?? [] where records[hash] == id { records[hash] = nil }
        guard let fields else { return }
        let names = LibraryIndex.names(of: fields, titleField)
        let own = names.map(\.hashValue)
        hashes[id] = own
        for hash in own { records[hash] = id }
    }

    /// The record that an item is; nil where it is not in the library.
    func record(of row: CatalogRow, savedAs id: RecordID, titleField: String) -> RecordID? {
        if hashes[id] != nil { return id }
        for (source, value) in row.ids.sorted(by: { $0.key < $1.key }) {
            if let record = records["\(source):\(value)".hashValue] { return record }
        }
        guard let title = LibraryIndex.title(row.fields, titleField) else { return nil }
        let wanted = row.ids.keys.sorted().filter(LibraryIndex.sources.contains) + ["*"]
        return wanted.lazy.compactMap { records["without \($0):\(title)".hashValue] }.first
    }

    private static func names(of fields: [String: JSONValue], _ titleField: String) -> [String] {
        var ids = (fields["ids"]?.members ?? [:]).compactMapValues { $0.text ?? $0.whole.map(String.init) }
        if let number = fields["tmdbID"]?.whole, number > 0 { ids["tmdb"] = String(number) }
        if let text = fields["imdbID"]?.text, !text.isEmpty { ids["imdb"] = text }
        let named = ids.map { "\($0.key):\($0.value)" }
        guard let title = title(fields, titleField) else { return named }
        let missing = sources.filter { ids[$0] == nil } + (ids.isEmpty ? ["*"] : [])
        return named + missing.map { "without \($0):\(title)" }
    }

    /// A title alone names nothing: there are two artists of one name.
    private static func title(_ fields: [String: JSONValue], _ titleField: String) -> String? {
        guard let title = fields[titleField]?.text, let year = fields["year"]?.whole else { return nil }
        return "\(title.folded) \(year)"
    }
}
