/// Why a request is answered with an error: the HTTP status, and the text of the `error` member.
package struct WireRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var status: Int
    package var message: String

    package init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    package var description: String { "\(status): \(message)" }

    package static func badRequest(_ message: String) -> WireRefusal { WireRefusal(400, message) }

    package static let invalidPath = badRequest(
        "Invalid path: a key can't be empty, over 768 bytes, or contain . $ # [ ] / or control characters"
    )
    package static let tooDeep = badRequest("Invalid path: deeper than \(WirePath.maxDepth) levels")
    package static let invalidJSON = badRequest("Invalid data; couldn't parse JSON object, array, or value.")
    package static let unknownParameter = badRequest("Request does not support one of the query parameters")
    /// The text names the index in the words of the real service, because clients look for them.
    package static func missingIndex(_ order: WireQuery.Order, _ path: WirePath) -> WireRefusal {
        let name: String
        switch order {
        case .child(let path): name = path.text
        case .value: name = ".value"
        case .key, .priority: name = ".priority"
        }
        return badRequest("Index not defined, add \".indexOn\": \"\(name)\", for path \"\(path)\", to the rules")
    }

    package static let permissionDenied = WireRefusal(401, "Permission denied")
}
