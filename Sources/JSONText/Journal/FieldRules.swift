package import SyncModel

/// What any field of any collection must keep to, because the Firebase Realtime Database can't store anything else.
///
/// Limits: https://firebase.google.com/docs/database/usage/limits. Ten of the 32 levels of depth are left to the path
/// above a record.
package enum FieldRules {
    static let maxDepth = 20
    static let maxKeyLength = 700
    /// The most that a key may have in the database.
    package static let mostKeyBytes = 768

    /// What only the daemon writes beside the fields, and what stands for none in the stamps of fields.
    package static let reservedNames = ["_", "_b", "_f", "_kept", "_t", "_v"]

    /// Checks the names at every level, and that none is one of the keys the daemon itself writes.
    package static func check(_ fields: [String: JSONValue]) throws(Defect) {
        // Hardly any name begins like them, and looking at a byte is much cheaper than looking up a name.
        if fields.keys.contains(where: { $0.utf8.first == UInt8(ascii: "_") }) {
            for reserved in reservedNames where fields[reserved] != nil {
                throw Defect(.invalidValue, "the field name \"\(reserved)\" is reserved for the daemon")
            }
        }
        try check(fields, depth: 1)
    }

    /// What is wrong where an object has two names that are equal, and spelled with other characters: only one could be kept.
    package static func words(ofAmbiguous name: String) -> String {
        "two names \(JSONWriter.string(.string(name)).prefix(60)) that differ only in the characters an accent is made of: "
            + "keep one of them"
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
        for byte in name.utf8 where isIllegal(byte) {
            throw Defect(
                .invalidValue, "the field name \"\(name.prefix(60))\" has one of . $ # [ ] / or a control character")
        }
    }

    /// Whether the database takes `text` as a key.
    package static func isKey(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= mostKeyBytes && !text.utf8.contains(where: isIllegal)
    }

    /// How many bytes `text` has as a key in which what none may have is written as `%XX` (`docs/protocol.md` section 6, `_f`).
    package static func bytesAsKey(_ text: String) -> Int {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return text.utf8.reduce(isNumber ? 2 : 0) { $0 + (isIllegal($1) || $1 == UInt8(ascii: "%") ? 3 : 1) }
    }

    private static func isIllegal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0x7F, UInt8(ascii: "."), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
