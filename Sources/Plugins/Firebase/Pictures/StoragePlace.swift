internal import FoundationEssentials
internal import SyncModel

/// Where the storage of pictures is that belongs to a database. Holds no secret.
struct StoragePlace: Sendable {
    /// The most bytes of an address.
    private static let longest = 2000

    /// Scheme, host and port.
    let origin: String
    /// The same as others reach it.
    private let shown: String
    private let bucket: String

    /// Google's databases have theirs on another host, and only where a bucket is named; a hub is its own.
    ///
    /// - Parameter shown: scheme, host and port by which others reach a hub; nil where that is as this node does.
    init?(_ location: DatabaseLocation, bucket: String?, shown: String? = nil) {
        if location.isGoogles {
            guard let bucket else { return nil }
            origin = "https://firebasestorage.googleapis.com"
            self.bucket = bucket
        } else {
            origin = location.origin
            self.bucket = bucket ?? "moviesync"
        }
        self.shown = shown ?? origin
    }

    /// The name of a person's picture.
    static func name(of person: String) -> String { "profiles/\(person).jpg" }

    /// The address that takes an upload.
    func upload(_ name: String) -> String { origin + objects + "?name=" + PercentEncoding.encoded(name) }

    /// The address of what is known of a picture.
    func metadata(_ name: String) -> String { origin + path(name) }

    /// The address at which whoever has it sees the picture.
    func download(_ name: String, token: String) -> String { shown + path(name) + StoragePlace.media(token) }

    /// The same picture at this storage, whatever host and bucket `address` names; nil where it is no address of a storage.
    func own(_ address: String) -> String? {
        guard address.utf8.count <= StoragePlace.longest, let parts = URLComponents(string: address),
            parts.scheme == "https" || parts.scheme == "http"
        else { return nil }
        let path = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
        guard path.count == 6, path[1...2] == ["v0", "b"], path[4] == "o", let name = PercentEncoding.decoded(path[5]),
            !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { return nil }
        let own = metadata(name) + StoragePlace.media(parts.queryItems?.last { $0.name == "token" }?.value)
        return own.utf8.count <= StoragePlace.longest ? own : nil
    }

    private var objects: String { "/v0/b/\(PercentEncoding.encoded(bucket))/o" }
    private func path(_ name: String) -> String { "\(objects)/\(PercentEncoding.encoded(name))" }

    /// - Parameter token: nil where everybody may see what it is about.
    private static func media(_ token: String?) -> String {
        "?alt=media" + (token.map { "&token=" + PercentEncoding.encoded($0) } ?? "")
    }
}
