internal import DatabaseTree
internal import FirebaseWire
internal import HTTPTypes
internal import JSONText
internal import SyncModel

extension RestRequest {
    /// Whether the path is one of a database: those end with `.json`, and no others do.
    static func isMeant(by head: HTTPRequest) -> Bool { head.pathAlone.utf8.ends(with: ".json") }

    private static let always: Set<String> = [
        "auth", "access_token", "auth_variable_override", "ns", "print", "x-http-method-override", "ac",
    ]
    private static let reading = Query.parameterNames.union([
        "shallow", "format", "download", "callback", "timeout",
    ])
    private static let writing: Set<String> = ["writeSizeLimit", "disableTriggers"]

    /// What a shallow read may have of a query. It takes the keys in their order then.
    private static let listing: Set<String> = ["limitToFirst", "limitToLast", "startAfter"]

    /// The parameters of a shallow read as those of a query; others as they are.
    ///
    /// Google's command line lists the keys of a place part after part: it spells the key to go on after without quotes.
    /// Throws a refusal (400) where a shallow read is mixed with any other query.
    static func ordered(
        _ parameters: [(name: String, value: String)]
    ) throws(Refusal) -> [(name: String, value: String)] {
        guard !parameters.isEmpty else { return parameters }
        let asked = Query.parameterNames.intersection(parameters.map(\.name))
        guard !asked.isEmpty, parameters.contains(where: { $0 == ("shallow", "true") }) else { return parameters }
        guard asked.isSubset(of: listing), asked != ["startAfter"] else {
            throw .badRequest("Mixing 'shallow' and querying parameters is not supported")
        }
        let quoted = parameters.map { name, value in
            let isBare = name == "startAfter" && !value.hasPrefix("\"")
            return (
                name: name, value: isBare ? String(decoding: JSONWriter.text(.string(value)), as: UTF8.self) : value
            )
        }
        return quoted + [("orderBy", "\"$key\"")]
    }

    /// Throws a refusal where a parameter is unknown, comes twice, or does not go with the method.
    func checkNames(_ parameters: [(name: String, value: String)]) throws(Refusal) {
        var seen: Set<String> = []
        let own: Set<String>
        switch (method, target) {
        case (.put, .setting(.rules)): own = ["dryRun"]
        case (.get, _): own = RestRequest.reading
        default: own = RestRequest.writing
        }
        for (name, _) in parameters {
            guard RestRequest.always.contains(name) || own.contains(name) else { throw .unknownParameter }
            guard seen.insert(name).inserted else { throw .badRequest("\(name) can only be specified once") }
        }
    }

    /// Takes the parameters that are no query.
    mutating func read(_ parameters: [(name: String, value: String)]) throws(Refusal) {
        for (name, value) in parameters {
            switch name {
            case "print":
                guard let print = Print(rawValue: value) else { throw .badRequest("print must be pretty or silent") }
                self.print = print
            case "shallow": isShallow = try RestRequest.truth(name, value)
            case "format":
                if case .setting(.rules) = target {
                    guard value == "strict" else { throw .badRequest("format must be strict") }
                    isStrict = true
                    continue
                }
                guard value == "export" else { throw .badRequest("format must be export") }
                isExport = true
            case "dryRun": isDryRun = try RestRequest.truth(name, value)
            case "download": download = value
            case "callback":
                guard RestRequest.isFunctionName(value) else {
                    throw .badRequest("callback must be the name of a function")
                }
                callback = value
            case "timeout": timeout = try RestRequest.timeout(value)
            case "writeSizeLimit":
                guard let limit = WriteSizeLimit(rawValue: value) else {
                    throw .badRequest("writeSizeLimit must be tiny, small, medium, large or unlimited")
                }
                writeSizeLimit = limit
            case "disableTriggers": _ = try RestRequest.truth(name, value)
            case "ns":
                guard RestRequest.isDatabaseName(value) else {
                    throw .badRequest("ns must be the name of a database: at most 256 bytes, no control characters")
                }
            case "auth_variable_override":
                guard (try? JSONReader.value(Array(value.utf8))) != nil else {
                    throw .badRequest("auth_variable_override must be JSON")
                }
            default: continue
            }
        }
    }

    static func isDatabaseName(_ text: String) -> Bool {
        text.utf8.count <= 256 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// The database that a client means by a name, empty for the default one: a library that is told none takes the host, or the
    /// first part of it, for the name.
    ///
    /// - Parameter host: by which the client has come.
    static func database(_ name: String, at host: String) -> String {
        guard !name.isEmpty else { return name }
        let (said, host) = (name.lowercased(), host.lowercased())
        return said == host || said == host.prefix { $0 != "." && $0 != ":" } ? "" : name
    }

    private static func truth(_ name: String, _ value: String) throws(Refusal) -> Bool {
        switch value {
        case "true": return true
        case "false": return false
        default: throw .badRequest("\(name) must be true or false")
        }
    }

    private static func timeout(_ value: String) throws(Refusal) -> Duration {
        let refusal = Refusal.badRequest(
            "timeout must be a number above 0, followed by ms, s or min, and at most 15min")
        let digits = value.prefix { $0.isASCII && $0.isNumber }
        let units = ["ms": 1, "s": 1000, "min": 60_000]
        guard let count = Int(digits), count > 0, count <= 900_000,
            let unit = units[String(value.dropFirst(digits.count))],
            count * unit <= 900_000
        else { throw refusal }
        return .milliseconds(count * unit)
    }

    /// Whether `text` is a name as `show`, `app.show` or `$1`: nothing else may get into a script.
    private static func isFunctionName(_ text: String) -> Bool {
        text.utf8.count <= 256
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
                guard let first = part.utf8.first, !(0x30...0x39).contains(first) else { return false }
                return part.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"): true
                    default: false
                    }
                }
            }
    }
}
