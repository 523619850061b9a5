internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import SyncModel

/// A parsed request: what it wants of which place, before anything is looked up.
struct RestRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
        /// A web page asks what it may send.
        case options = "OPTIONS"
    }

    /// What there is besides data.
    enum Setting: Hashable, Sendable {
        /// The security rules of the database.
        case rules
        /// The `writeSizeLimit` of writes that have none.
        case writeSizeLimit
        /// Whether writes that trigger too much are refused. Nothing is triggered here: it is kept for who asks.
        case strictTriggers
        /// The names of all databases.
        case databases
        /// What the server tells of itself: all, or one thing.
        case info(String?)

        var isWritable: Bool {
            switch self {
            case .rules, .writeSizeLimit, .strictTriggers: true
            case .databases, .info: false
            }
        }
    }

    enum Target: Sendable {
        case data(WirePath)
        case setting(Setting)
        /// The priority of the node at this path.
        case priority(WirePath)

        /// The place of the data that this is about; nil for all else.
        var path: WirePath? {
            switch self {
            case .data(let path), .priority(let path): path
            case .setting: nil
            }
        }
    }

    enum Print: String, Sendable { case plain, pretty, silent }

    let method: Method
    let target: Target
    /// The database's name; empty for the default one.
    let database: String
    let query: Query?
    var print = Print.plain
    var isShallow = false
    var isExport = false
    /// Whether rules are shown without comments.
    var isStrict = false
    /// Whether rules are only looked at.
    var isDryRun = false
    /// Whether only the head of the answer is wanted.
    let isHead: Bool
    /// The file name of `download=`.
    var download: String?
    /// The function of `callback=`.
    var callback: String?
    /// How long a read may take.
    var timeout: Duration?
    var writeSizeLimit: WriteSizeLimit?
    var wantsETag = false
    var ifMatch: ETag?
    var ifNoneMatch: ETag?
    var wantsStream = false
    let credential: Credential
    /// Who sends it; nobody, until the credential has been checked.
    var principal = Identity.nobody.principal
    let origin: CrossOrigin

    /// Reads a request's head. Throws a refusal where the combination is not one that Firebase answers.
    init(_ head: HTTPRequest) throws(Refusal) {
        let (path, parameters) = try RestRequest.split(head.path ?? "/")
        target = try RestRequest.target(path)
        method = try RestRequest.method(head, parameters)
        isHead = head.method == .head
        database = RestRequest.database(parameters.last { $0.name == "ns" }?.value ?? "", at: head.authority ?? "")
        origin = CrossOrigin(head)
        credential = Credential(head.headerFields, parameters)
        guard method != .options else {
            query = nil
            return
        }
        query = try Query(parameters: try RestRequest.ordered(parameters))
        try checkNames(parameters)
        try read(parameters)
        try read(head.headerFields)
        try checkCombination()
    }

    /// Whether this writes several places below its own; nil where it writes nothing.
    var writesPatch: Bool? {
        switch method {
        case .get, .options: nil
        case .patch: true
        case .put, .post, .delete: false
        }
    }

    /// Whether the answer depends on the body.
    var readsBody: Bool {
        switch (target, method) {
        case (_, .get), (_, .options), (_, .delete): false
        case (.setting(let setting), _): setting.isWritable && method == .put
        case (.priority, .post), (.priority, .patch): false
        case (.data, _), (.priority, _): true
        }
    }

    // MARK: Path

    static func split(
        _ target: String
    ) throws(Refusal) -> (path: Substring, parameters: [(name: String, value: String)]) {
        guard let mark = target.place(of: "?") else { return (target[...], []) }
        var parameters: [(name: String, value: String)] = []
        for pair in target[target.utf8.index(after: mark)...].pieces(between: "&") {
            let parts = pair.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { Substring($0) }
            guard let name = PercentEncoding.decoded(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decoded(
                    parts.count > 1 ? parts[1] : "", plusIsSpace: !credentials.contains(name))
            else { throw .badRequest("Invalid query string: a percent escape is broken") }
            parameters.append((name, value))
        }
        return (target[..<mark], parameters)
    }

    /// Parameters that pyrebase4 does not encode when it writes: a secret in Base64 may hold a `+`, and never a space.
    private static let credentials: Set<String> = ["auth", "access_token"]

    private static func target(_ path: Substring) throws(Refusal) -> Target {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.ends(with: ".json") else {
            throw Refusal(404, "Not found: append .json to your request URI to use the REST API")
        }
        var raw = Substring(path.utf8.dropLast(5)).pieces(between: "/")
        let isPriority = raw.last == ".priority"
        if isPriority { raw.removeLast() }
        if let first = raw.first, first.hasPrefix("."), !isPriority { return .setting(try setting(raw)) }
        var keys: [WireKey] = []
        for segment in raw {
            guard let text = PercentEncoding.decoded(segment), let key = WireKey(text) else { throw .invalidPath }
            keys.append(key)
        }
        guard keys.count <= WirePath.maxDepth else { throw .tooDeep }
        return isPriority ? .priority(WirePath(keys)) : .data(WirePath(keys))
    }

    private static func setting(_ path: [Substring]) throws(Refusal) -> Setting {
        switch path {
        case [".settings", "rules"]: return .rules
        case [".settings", "defaultWriteSizeLimit"]: return .writeSizeLimit
        case [".settings", "strictTriggerValidation"]: return .strictTriggers
        case [".inspect", "databases"]: return .databases
        case [".info"]: return .info(nil)
        default:
            if path.first == ".info", path.count == 2 { return .info(String(path[1])) }
            guard [".settings", ".inspect"].contains(path.first) else { throw .invalidPath }
            throw Refusal(
                404,
                "Not found: there are /.settings/rules, /.settings/defaultWriteSizeLimit, "
                    + "/.settings/strictTriggerValidation and /.inspect/databases")
        }
    }

    private static func method(
        _ head: HTTPRequest, _ parameters: [(name: String, value: String)]
    ) throws(Refusal) -> Method {
        var name = head.method.rawValue
        if head.method == .post {
            name = parameters.last { $0.name == "x-http-method-override" }?.value ?? name
            if let field = RestRequest.methodOverride { name = head.headerFields[field] ?? name }
        }
        if head.method == .head { return .get }
        guard let method = Method(rawValue: name.uppercased()) else {
            throw Refusal(405, "Method \(name.prefix(20)) is not allowed: use GET, HEAD, PUT, POST, PATCH or DELETE")
        }
        return method
    }

    // MARK: Headers

    private mutating func read(_ fields: HTTPFields) throws(Refusal) {
        wantsETag = RestRequest.etagRequest.flatMap { fields[$0] }?.lowercased() == "true"
        if let text = fields[.ifMatch] {
            guard text != "*", !text.contains(",") else { throw .badRequest("if-match takes exactly one ETag") }
            ifMatch = ETag(text)
        }
        ifNoneMatch = fields[.ifNoneMatch].map { ETag($0) }
        wantsStream = method == .get && !isHead && fields[.accept]?.lowercased().contains("text/event-stream") == true
    }

    private static let methodOverride = HTTPField.Name("X-HTTP-Method-Override")
    private static let etagRequest = HTTPField.Name("X-Firebase-ETag")

    private func checkCombination() throws(Refusal) {
        let isConditional = ifMatch != nil
        if method != .get, ifNoneMatch != nil { throw .badRequest("if-none-match is only supported with GET") }
        switch (method, target) {
        case (.get, _):
            if isConditional { throw .badRequest("if-match is not supported with GET") }
            if isShallow, isExport {
                throw .badRequest("Mixing shallow with other parameters is not allowed")
            }
            if wantsETag || ifNoneMatch != nil, isShallow || query != nil {
                throw .badRequest("ETags are not supported with query parameters")
            }
        case (.post, .priority), (.patch, .priority):
            throw .badRequest("A priority can be read with GET, and written with PUT or DELETE")
        case (.patch, _) where wantsETag || isConditional: throw .badRequest("ETags are not supported with PATCH")
        case (.post, _) where isConditional: throw .badRequest("if-match is not supported with POST")
        case (_, .priority) where isConditional: throw .badRequest("if-match is not supported with a priority")
        default:
            if isConditional, print == .silent { throw .badRequest("if-match is not supported with print=silent") }
        }
    }
}
