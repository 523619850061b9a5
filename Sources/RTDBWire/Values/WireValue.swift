package import SyncModel

/// The rules for values in a request's body.
package enum WireValue {
    /// The most bytes a string may have.
    package static let maxString = 10 * 1024 * 1024

    /// Checks keys, strings and depth of `value`, which is to be stored `depth` levels below the root.
    ///
    /// Server values (`{".sv": …}`) pass where they are well formed. Throws a refusal (400) that names the first fault.
    package static func check(_ value: JSONValue, depth: Int) throws(WireRefusal) {
        switch value {
        case .null, .bool, .integer, .number: return
        case .string(let text):
            guard text.utf8.count <= maxString else { throw .badRequest("Invalid data; a string is over 10 MB") }
        case .array(let elements):
            guard depth < WirePath.maxDepth || elements.isEmpty else { throw .tooDeep }
            for element in elements { try check(element, depth: depth + 1) }
        case .object(let members):
            if members[".sv"] != nil {
                _ = try ServerValue(members)
                return
            }
            guard depth < WirePath.maxDepth || members.isEmpty else { throw .tooDeep }
            for (key, member) in members {
                guard WireKey.isLegal(key) else { throw illegal(key) }
                try check(member, depth: depth + 1)
            }
        }
    }

    private static func illegal(_ key: String) -> WireRefusal {
        if key == ".priority" || key == ".value" { return .badRequest("Priorities are not supported by this server") }
        return .badRequest(
            "Invalid data; couldn't parse key \"\(key.prefix(80))\". "
                + "A key can't be empty, over 768 bytes, or contain . $ # [ ] / or control characters."
        )
    }
}
