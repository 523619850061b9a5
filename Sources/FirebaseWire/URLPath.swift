internal import SyncModel

/// Paths of a database's URLs.
package enum URLPath {
    /// The URL path of a place in the database: `/movies/KEY.json`, `/.json` for the root.
    ///
    /// - Parameter path: keys separated by `/`, as people write it; slashes at its ends or in a row count once.
    package static func resource(_ path: String) -> String {
        "/" + path.pieces(between: "/").map { PercentEncoding.encoded($0) }.joined(separator: "/") + ".json"
    }
}
