package import SyncModel

/// What any field of any collection must keep to, because the Firebase Realtime Database can't store anything else.
///
/// Limits: https://firebase.google.com/docs/database/usage/limits. Ten of the 32 levels of depth are left to the path
/// above a record.
package enum FieldRules {
    static let maxDepth = 20
    static let maxKeyLength = 700

    /// Checks the names at every level, and that none is one of the keys the daemon itself writes.
    package static func check(_ fields: [String: JSONValue]) throws(Defect) {
        for reserved in ["_", "_b", "_f", "_t", "_v"] where fields[reserved] != nil {
            throw Defect(.invalidValue, "the field name \"\(reserved)\" is reserved for the daemon")
        }
        try check(fields, depth: 1)
    }

    private static func check(_ members: [String: JSONValue], depth: Int) throws(Defect) {
        guard depth <= maxDepth else {
            throw Defect(.invalidValue, "the fields are nested deeper than \(maxDepth) levels")
        }
        for (name, value) in members {
            try check(name: name)
            try check(value, depth: depth)
        }
    }

    private static func check(_ value: JSONValue, depth: Int) throws(Defect) {
        switch value {
        case .object(let members): try check(members, depth: depth + 1)
        case .array(let elements):
            guard depth < maxDepth else {
                throw Defect(.invalidValue, "the fields are nested deeper than \(maxDepth) levels")
            }
            for element in elements { try check(element, depth: depth + 1) }
        default: break
        }
    }

    private static func check(name: String) throws(Defect) {
        guard !name.isEmpty, name.utf8.count <= maxKeyLength else {
            throw Defect(.invalidValue, "a field name is empty or longer than \(maxKeyLength) bytes")
        }
        for byte in name.utf8 where byte < 0x20 || byte == 0x7F || ".$#[]/".utf8.contains(byte) {
            throw Defect(
                .invalidValue, "the field name \"\(name.prefix(60))\" has one of . $ # [ ] / or a control character")
        }
    }
}
