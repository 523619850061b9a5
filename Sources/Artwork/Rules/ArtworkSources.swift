internal import ControlAPI
internal import PluginKit

/// Which pictures may be fetched, and from where.
struct ArtworkSources {
    /// What catalogs say of themselves, by name.
    private let catalogs: [String: CatalogDescription]
    /// Where pictures are fetched from instead of a catalog's own hosts, by its name; without a slash at the end.
    private let places: [String: String]

    init(_ catalogs: [CatalogDescription], places: [String: String]) {
        self.catalogs = Dictionary(catalogs.map { ($0.name, $0) }) { first, _ in first }
        self.places = places
    }

    /// What to do for the picture that `key` names, `width` pixels wide.
    ///
    /// - Parameter key: an `https` address on a host that a catalog names, or `NAME:` and such an address, or the path
    ///   that a catalog with sizes of its own has for it, such as `tmdb:/abc.jpg`.
    func plan(for key: String, width: Int) throws(ControlError) -> ArtworkPlan {
        let (catalog, text) = try catalog(of: key)
        if let sizes = catalog.imageSizes, let path = sizes.path(of: text) {
            guard ArtworkSources.isPath(path) else { throw ArtworkSources.bad(key) }
            return plan(sizes.url(of: path, width: width), catalog, width, isSized: true)
        }
        return plan(text, catalog, width, isSized: false)
    }

    private func plan(_ url: String, _ catalog: CatalogDescription, _ width: Int, isSized: Bool) -> ArtworkPlan {
        let (host, path) = ArtworkSources.parts(of: url) ?? ("", "")
        return ArtworkPlan(
            source: url, host: host, place: places[catalog.name].map { $0 + path }, width: isSized ? nil : width)
    }

    /// Whose picture it is, and what is left of the key.
    private func catalog(of key: String) throws(ControlError) -> (CatalogDescription, String) {
        if let colon = key.firstIndex(of: ":"), let named = catalogs[String(key[..<colon])] {
            let text = String(key[key.index(after: colon)...])
            if text.hasPrefix("/"), named.imageSizes != nil { return (named, text) }
            guard let host = ArtworkSources.parts(of: text)?.host else { throw ArtworkSources.bad(key) }
            guard named.imageHosts.contains(host) else { throw ArtworkSources.closed(host) }
            return (named, text)
        }
        guard let host = ArtworkSources.parts(of: key)?.host else { throw ArtworkSources.bad(key) }
        guard let owner = catalogs.values.filter({ $0.imageHosts.contains(host) }).min(by: { $0.name < $1.name }) else {
            throw ArtworkSources.closed(host)
        }
        return (owner, key)
    }

    /// Host and path of an `https` address without a port, a user or anything but printable ASCII.
    private static func parts(of url: String) -> (host: String, path: String)? {
        guard url.hasPrefix("https://"), url.utf8.count <= 2000 else { return nil }
        let rest = url.dropFirst(8)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let (host, path) = (rest[..<slash].lowercased(), String(rest[slash...]))
        guard !host.isEmpty, host.utf8.allSatisfy(isHostByte), isPath(path) else { return nil }
        return (host, path)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func isPath(_ path: String) -> Bool {
        path.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }
            && !path.split(separator: "/").contains("..")
    }

    private static func bad(_ key: String) -> ControlError {
        ControlError(
            400, "badRequest",
            "'\(key.prefix(80))' names no picture: take an https address that a catalog shows, or its path such as "
                + "tmdb:/abc.jpg")
    }

    private static func closed(_ host: String) -> ControlError {
        ControlError(403, "hostNotAllowed", "no catalog says that its pictures are on \(host.prefix(80))")
    }
}

/// What a picture takes.
struct ArtworkPlan: Hashable, Sendable {
    /// The source's own address of it, which names it in the cache.
    var source: String
    /// The host of that, which must be a public one.
    var host: String
    /// The address to ask instead, as the operator wants it; nil for the source's own.
    var place: String?
    /// How wide it is made here, in pixels; nil where the source has the size itself.
    var width: Int?
    /// Whether it comes from the storage of the remote, where ``source`` is a place.
    var isPortrait = false
}
