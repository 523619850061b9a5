internal import DatabaseTree
internal import HTTPTypes

/// What a request tells about the web page that sends it.
///
/// A stranger's page reaches a server on this machine through the browser of whoever looks at it. Where rules are
/// loaded, access is by credential, and pages are let in as the real service lets them; a database without rules is not
/// for pages of other origins.
struct CrossOrigin: Sendable {
    /// The page's origin; nil where no browser says one.
    let origin: String?
    /// Whether the page comes from somewhere else than this server.
    let isForeign: Bool
    /// The headers that the page wants to send; nil where this does not ask.
    private let wantedHeaders: String?
    /// The database that the page is after.
    let database: String

    init(_ head: HTTPRequest) {
        let fields = head.headerFields
        origin = fields[.origin]
        let site = CrossOrigin.site.flatMap { fields[$0] }
        wantedHeaders = head.method == .options ? CrossOrigin.wanted.flatMap { fields[$0] } : nil
        let parameters = origin == nil ? nil : try? RestRequest.split(head.path ?? "/").parameters
        let name = parameters?.last { $0.name == "ns" }?.value ?? ""
        database = RestRequest.database(name, at: head.authority ?? "")
        if let origin {
            isForeign = !CrossOrigin.isOwn(origin, host: head.authority)
        } else {
            isForeign = site == "cross-site" || site == "same-site"
        }
    }

    /// Whether the page comes from where the request was sent to, by whatever name.
    func isOf(_ authority: String?) -> Bool {
        guard let authority, let origin else { return false }
        return origin == "http://\(authority)" || origin == "https://\(authority)"
    }

    /// An address in numbers or `localhost`, the same as the request was sent to. A name proves nothing: its owner may
    /// have made it point here.
    private static func isOwn(_ origin: String, host: String?) -> Bool {
        guard let host, origin == "http://\(host)" || origin == "https://\(host)" else { return false }
        guard let name = KnownHosts.host(of: host) else { return false }
        return name == "localhost" || KnownHosts.isNumber(name)
    }

    /// The headers that let the page see an answer of a database with rules.
    func append(to fields: inout HTTPFields) {
        set("Access-Control-Allow-Origin", "*", &fields)
        set("Access-Control-Expose-Headers", "ETag", &fields)
    }

    /// The headers that answer the question of a page what it may send.
    func appendPermissions(to fields: inout HTTPFields) {
        set("Access-Control-Allow-Methods", "GET, PUT, PATCH, POST, DELETE", &fields)
        if let wantedHeaders { set("Access-Control-Allow-Headers", wantedHeaders, &fields) }
        set("Access-Control-Max-Age", "3600", &fields)
    }

    private func set(_ name: String, _ value: String, _ fields: inout HTTPFields) {
        if let name = HTTPField.Name(name) { fields[name] = value }
    }

    private static let site = HTTPField.Name("Sec-Fetch-Site")
    private static let wanted = HTTPField.Name("Access-Control-Request-Headers")
}
