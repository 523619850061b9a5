internal import HTTPTypes
internal import RTDBWire

/// A request understood: what is asked of which place, before anything is looked up.
struct RestRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    enum Target: Sendable {
        case data(WirePath)
        /// The security rules of the database.
        case rules
        /// Priorities are not kept: reading one answers null.
        case priority
    }

    enum Print: Sendable { case plain, pretty, silent }

    let method: Method
    let target: Target
    /// The database's name; empty for the default one.
    let database: String
    let query: WireQuery?
    var print = Print.plain
    var isShallow = false
    var isExport = false
    /// The file name of `download=`.
    var download: String?
    var wantsETag = false
    var ifMatch: ETag?
    var ifNoneMatch: ETag?
    var wantsStream = false
    let credential: Credential
    /// Who sends it; nobody, until the credential has been checked.
    var authority = Identity.nobody.authority

    /// Reads a request's head. Throws a refusal where the combination is not one that Firebase answers.
    init(_ head: HTTPRequest) throws(WireRefusal) {
        let (path, parameters) = try RestRequest.split(head.path ?? "/")
        target = try RestRequest.target(path)
        method = try RestRequest.method(head, parameters)
        database = parameters.last { $0.name == "ns" }?.value ?? ""
        query = try WireQuery(parameters: parameters)
        credential = Credential(head.headerFields, parameters)
        try read(parameters)
        try read(head.headerFields)
        try checkCombination()
    }

    private static let ignored: Set<String> = [
        "auth", "access_token", "auth_variable_override", "ns", "disableTriggers", "ac", "writeSizeLimit",
        "x-http-method-override",
    ]

    // MARK: Path

    private static func split(
        _ target: String
    ) throws(WireRefusal) -> (path: Substring, parameters: [(name: String, value: String)]) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target[...], []) }
        var parameters: [(name: String, value: String)] = []
        for pair in target[target.index(after: mark)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decoded(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decoded(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { throw .badRequest("Invalid query string: a percent escape is broken") }
            parameters.append((name, value))
        }
        return (target[..<mark], parameters)
    }

    private static func target(_ path: Substring) throws(WireRefusal) -> Target {
        guard path.hasPrefix("/"), path.hasSuffix(".json") else {
            throw WireRefusal(404, "Not found: the path of a request ends with .json")
        }
        let raw = path.dropLast(5).split(separator: "/")
        if raw.last == ".priority" { return .priority }
        if raw == [".settings", "rules"] { return .rules }
        var keys: [WireKey] = []
        for segment in raw {
            guard let text = PercentEncoding.decoded(segment), let key = WireKey(text) else { throw .invalidPath }
            keys.append(key)
        }
        guard keys.count <= WirePath.maxDepth else { throw .tooDeep }
        return .data(WirePath(keys))
    }

    private static func method(
        _ head: HTTPRequest, _ parameters: [(name: String, value: String)]
    ) throws(WireRefusal) -> Method {
        var name = head.method.rawValue
        if head.method == .post {
            name = parameters.last { $0.name == "x-http-method-override" }?.value ?? name
            if let field = HTTPField.Name("X-HTTP-Method-Override") { name = head.headerFields[field] ?? name }
        }
        guard let method = Method(rawValue: name.uppercased()) else {
            throw WireRefusal(405, "Method \(name.prefix(20)) is not allowed: use GET, PUT, POST, PATCH or DELETE")
        }
        return method
    }

    // MARK: Parameters

    private mutating func read(_ parameters: [(name: String, value: String)]) throws(WireRefusal) {
        for (name, value) in parameters where !WireQuery.parameterNames.contains(name) {
            switch name {
            case "print":
                switch value {
                case "pretty": print = .pretty
                case "silent": print = .silent
                default: throw .badRequest("print must be pretty or silent")
                }
            case "shallow": isShallow = try RestRequest.truth(name, value)
            case "format":
                guard value == "export" else { throw .badRequest("format must be export") }
                isExport = true
            case "download": download = value
            case "timeout":
                guard RestRequest.isTimeout(value) else {
                    throw .badRequest("timeout must be a number followed by ms, s or min, and at most 15min")
                }
            case let name where RestRequest.ignored.contains(name): continue
            default: throw .unknownParameter
            }
        }
    }

    private static func truth(_ name: String, _ value: String) throws(WireRefusal) -> Bool {
        switch value {
        case "true": return true
        case "false": return false
        default: throw .badRequest("\(name) must be true or false")
        }
    }

    private static func isTimeout(_ value: String) -> Bool {
        let digits = value.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count > 0 else { return false }
        switch value.dropFirst(digits.count) {
        case "ms": return count <= 900_000
        case "s": return count <= 900
        case "min": return count <= 15
        default: return false
        }
    }

    private mutating func read(_ fields: HTTPFields) throws(WireRefusal) {
        wantsETag = RestRequest.etagRequest.flatMap { fields[$0] }?.lowercased() == "true"
        ifMatch = fields[.ifMatch].map { ETag($0) }
        ifNoneMatch = fields[.ifNoneMatch].map { ETag($0) }
        wantsStream = method == .get && fields[.accept]?.contains("text/event-stream") == true
        if method != .get, fields[.origin] != nil {
            throw WireRefusal(403, "Web pages may not write to this server")
        }
    }

    private static let etagRequest = HTTPField.Name("X-Firebase-ETag")

    private func checkCombination() throws(WireRefusal) {
        let isConditional = ifMatch != nil
        switch method {
        case .get:
            if isConditional { throw .badRequest("if-match is not supported with GET") }
            if isShallow, query != nil || isExport {
                throw .badRequest("Mixing shallow with other parameters is not allowed")
            }
            if wantsETag || ifNoneMatch != nil, isShallow || query != nil {
                throw .badRequest("ETags are not supported with query parameters")
            }
        case .patch where wantsETag || isConditional: throw .badRequest("ETags are not supported with PATCH")
        case .post where isConditional: throw .badRequest("if-match is not supported with POST")
        default:
            if isConditional, print == .silent { throw .badRequest("if-match is not supported with print=silent") }
        }
        if method != .get, query != nil || isShallow || isExport || download != nil { throw .unknownParameter }
    }
}
