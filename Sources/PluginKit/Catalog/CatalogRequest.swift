/// A GET over HTTPS.
public struct CatalogRequest: Hashable, Sendable {
    public var host: String
    /// The parts of the path, not encoded.
    public var path: [String]
    /// Names and values, not encoded, in the order they are sent.
    public var query: [(name: String, value: String)]
    public var headers: [(name: String, value: String)]
    /// The credential as it stands in one of the above: it is shown nowhere.
    public var secret: String?

    public init(
        host: String, path: [String], query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], secret: String? = nil
    ) {
        self.host = host
        self.path = path
        self.query = query
        self.headers = headers
        self.secret = secret
    }

    public static func == (one: CatalogRequest, other: CatalogRequest) -> Bool {
        one.host == other.host && one.path == other.path && one.secret == other.secret
            && one.query.elementsEqual(other.query, by: ==) && one.headers.elementsEqual(other.headers, by: ==)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(path)
        for (name, value) in query {
            hasher.combine(name)
            hasher.combine(value)
        }
    }

    /// What is asked for, without the credential: for messages, and as the name of a cached answer.
    public var shown: String {
        let path = path.map { $0 == secret ? "…" : $0 }.joined(separator: "/")
        let query = query.filter { $0.value != secret }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return host + "/" + path + (query.isEmpty ? "" : "?" + query)
    }
}

/// What came back.
public struct CatalogAnswer: Hashable, Sendable {
    public var status: Int
    public var body: [UInt8]
    /// `Retry-After`, in seconds.
    public var retryAfter: Int?

    public init(status: Int, body: [UInt8], retryAfter: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }
}
