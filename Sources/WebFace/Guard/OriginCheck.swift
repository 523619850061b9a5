/// Whether a request that changes something was made by the page itself.
enum OriginCheck {
    /// - Parameters:
    ///   - origin: the header `Origin`, which browsers send with every POST.
    ///   - authority: the host and port that the request names.
    ///   - site: the header `Sec-Fetch-Site`; not every browser sends it, so it only ever refuses.
    static func allows(origin: String?, authority: String?, site: String?) -> Bool {
        guard let origin = origin?.lowercased(), let authority = authority?.lowercased() else { return false }
        // A proxy before the page may speak TLS for it.
        guard origin == "http://\(authority)" || origin == "https://\(authority)" else { return false }
        return site.map { ["same-origin", "none"].contains($0) } ?? true
    }
}
