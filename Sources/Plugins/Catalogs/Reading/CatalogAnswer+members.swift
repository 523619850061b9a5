internal import JSONText
internal import PluginKit
internal import SyncModel

extension CatalogAnswer {
    /// The longest that a source may ask to be left alone, in seconds.
    private static let longestRetry = 60

    /// The JSON object that the answer is, whatever its status.
    ///
    /// - Throws: ``CatalogError/Code/unavailable`` where it is none: sources answer with HTML, or nothing, when they are
    ///   overloaded. `unauthorized` and `limited` where its status says so.
    func members(from source: String) throws(CatalogError) -> [String: JSONValue] {
        // Where half a pair of surrogates is all that is wrong, one row would cost the whole page.
        if let members = (try? JSONReader.members(body)) ?? (try? JSONReader.members(body.withoutLoneSurrogates)) {
            return members
        }
        // Any other status without JSON may come from anybody on the way.
        if [401, 429].contains(status), let error = error(from: source, nil) { throw error }
        throw CatalogError(.unavailable, "\(source) answered \(status) with something that is not JSON")
    }

    /// What its status alone says; nil where it says that all is well, or too little.
    ///
    /// - Parameter message: what the source said with it.
    func error(from source: String, _ message: String?) -> CatalogError? {
        let said = message.map { ": " + $0 } ?? ""
        return switch status {
        case 200..<300: nil
        case 401, 403: CatalogError(.unauthorized, "\(source) does not accept the key\(said)")
        case 404: CatalogError(.notFound, "\(source) has no such item\(said)")
        case 429:
            CatalogError(
                .limited, "\(source) asks for fewer requests\(said)",
                retryAfter: min(max(1, retryAfter ?? 10), CatalogAnswer.longestRetry))
        case 500...: CatalogError(.unavailable, "\(source) answered \(status)\(said)")
        default: CatalogError(.refused, "\(source) answered \(status)\(said)")
        }
    }
}
