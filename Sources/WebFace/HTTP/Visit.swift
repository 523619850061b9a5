internal import HTTPTypes
internal import HummingbirdCore
internal import SyncModel

/// One request of a browser, understood.
struct Visit: Sendable {
    let method: HTTPRequest.Method
    /// The path in its parts, without percent-encoding.
    let path: [String]
    let query: Query
    let headers: HTTPFields
    let authority: String?
    /// The path and the query as they came, but for the part that is asked for.
    let address: String

    /// Nil for a request that names no path of ours.
    init?(_ request: Request) {
        guard let target = request.head.path, target.hasPrefix("/"), !target.hasPrefix("//") else { return nil }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for part in parts[0].split(separator: "/") {
            guard let text = PercentEncoding.decoded(part) else { return nil }
            path.append(text)
        }
        let words = parts.count > 1 ? parts[1].split(separator: "&").filter { !$0.hasPrefix("part=") } : []
        address = parts[0] + (words.isEmpty ? "" : "?" + words.joined(separator: "&"))
        method = request.method
        self.path = path
        query = Query(parts.count > 1 ? parts[1] : "")
        headers = request.headers
        authority = request.head.authority
    }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        for field in headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name { return String(parts[1]) }
            }
        }
        return nil
    }

    /// Whether a page of another origin led here, as far as the browser tells.
    var isFromElsewhere: Bool { ["cross-site", "same-site"].contains(header("Sec-Fetch-Site")) }

    /// A header whose name is not among the well-known ones.
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
