internal import FoundationEssentials
internal import SyncModel

/// Where the storage of pictures is that belongs to a database. Holds no secret.
struct StoragePlace: Sendable {
    /// Scheme, host and port.
    let origin: String
    private let bucket: String

    /// Google's databases have theirs on another host, and only where a bucket is named; a hub is its own.
    init?(_ location: DatabaseLocation, bucket: String?) {
        if location.isGoogles {
            guard let bucket else { return nil }
            origin = "https://firebasestorage.googleapis.com"
            self.bucket = bucket
        } else {
            origin = location.origin
            self.bucket = bucket ?? "moviesync"
        }
    }

    /// The name of a person's picture.
    static func name(of person: String) -> String { "profiles/\(person).jpg" }

    /// The address that takes an upload.
    func upload(_ name: String) -> String { objects + "?name=" + PercentEncoding.encoded(name) }

    /// The address of what is known of a picture.
    func metadata(_ name: String) -> String { "\(objects)/\(PercentEncoding.encoded(name))" }

    /// The address at which whoever has it sees the picture.
    ///
    /// - Parameter token: nil where everybody may see it.
    func download(_ name: String, token: String?) -> String {
        "\(metadata(name))?alt=media" + (token.map { "&token=" + PercentEncoding.encoded($0) } ?? "")
    }

    /// The same picture at this storage, whatever host and bucket `address` names; nil where it is no address of a storage.
    func own(_ address: String) -> String? {
        guard address.utf8.count <= 2000, let parts = URLComponents(string: address),
            parts.scheme == "https" || parts.scheme == "http"
        else { return nil }
        let path = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
        guard path.count == 6, path[1...2] == ["v0", "b"], path[4] == "o", let name = PercentEncoding.decoded(path[5]),
            !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { return nil }
        return download(name, token: parts.queryItems?.last { $0.name == "token" }?.value)
    }

    private var objects: String { "\(origin)/v0/b/\(PercentEncoding.encoded(bucket))/o" }
}
