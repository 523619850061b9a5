internal import ControlAPI
internal import SyncModel

/// An item of a catalog as it is typed: `tmdb:348`.
struct CatalogItemName: Hashable, Sendable {
    let catalog: String
    let key: String

    init(catalog: String, key: String) {
        self.catalog = catalog
        self.key = key
    }

    /// Nil for what is none.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            return nil
        }
        catalog = String(parts[0])
        key = String(parts[1])
    }

    /// What stands for a film in keys of which no more is known than this.
    var film: String { PersonFields.films([:], key: key, of: catalog)[0] }

    var path: String { "\(ControlRoute.catalogs)/\(catalog)/items/\(key.pathPart)" }
}

extension String {
    /// The text as one part of a path: nothing in it separates or leads away.
    var pathPart: String { self == "." || self == ".." ? "%2E" + dropFirst() : PercentEncoding.encoded(self) }
}
