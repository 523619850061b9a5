public import PluginKit
public import SyncModel

/// Films, as the MyMovies apps know them: `identifier`, `title`, `hasWatched`, and whatever else is there.
///
/// Optional known fields: `year` and `tmdbID` are whole numbers. What the apps expect is in the table of the Firebase
/// bodies they read: all of `identifier` (upper case, equal to the key), `title` and `hasWatched` as a real Bool.
public struct Movies: CollectionPlugin {
    public init() {}

    public var id: CollectionID { "movies" }
    public var columns: [String] { ["title", "year", "hasWatched"] }
    public var defaults: [String: JSONValue] { Movies.unwatched }

    /// Made once: it is asked for with every film.
    private static let unwatched: [String: JSONValue] = ["hasWatched": false]

    public func validated(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        var fields = withDefaults(fields)
        try checkTitle(fields["title"])
        if let watched = fields["hasWatched"], watched.truth == nil {
            throw Defect(.invalidValue, "\"hasWatched\" is \(watched.kind), not a Bool")
        }
        for name in ["year", "tmdbID"] {
            guard let value = fields[name], value != .null else { continue }
            guard let whole = value.whole else {
                throw Defect(.invalidValue, "\"\(name)\" is \(value.kind), not a whole number")
            }
            if case .number = value { fields[name] = .integer(whole) }
        }
        return fields
    }

    public func normalized(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        var fields = withDefaults(fields)
        try checkTitle(fields["title"])
        if let watched = fields["hasWatched"] {
            guard let truth = truth(watched) else {
                throw Defect(.unreadableRecord, "\"hasWatched\" is \(watched.kind) that means neither true nor false")
            }
            fields["hasWatched"] = .bool(truth)
        }
        return fields
    }

    public func identityFields(_ id: RecordID) -> [String: JSONValue] { ["identifier": .string(id.description)] }

    private func checkTitle(_ value: JSONValue?) throws(Defect) {
        guard let value, value != .null else { throw Defect(.missingKey, "the film has no \"title\"") }
        guard let title = value.text else { throw Defect(.invalidValue, "\"title\" is \(value.kind), not a string") }
        // Most begin with a letter, and bytes are much cheaper to look at than characters.
        if let first = title.utf8.first, (0x21...0x7E).contains(first) { return }
        guard title.contains(where: { !$0.isWhitespace }) else { throw Defect(.invalidValue, "\"title\" is empty") }
    }

    private func truth(_ value: JSONValue) -> Bool? {
        if let truth = value.truth { return truth }
        switch value {
        case .string(let text):
            switch text.lowercased() {
            case "true", "1", "yes": return true
            case "false", "0", "no", "": return false
            default: return nil
            }
        default:
            switch value.whole {
            case 0: return false
            case 1: return true
            default: return nil
            }
        }
    }
}
