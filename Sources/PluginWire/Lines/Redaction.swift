internal import JSONText
package import SyncModel

/// Takes secrets out of what a plugin says before anybody else sees it.
package struct Redaction: Hashable, Sendable {
    /// The longest first, so that no rest of one stays because another is its beginning.
    private let secrets: [String]

    /// - Parameter secrets: shorter ones than 4 characters are not looked for: they stand everywhere.
    package init(_ secrets: some Sequence<String>) {
        var spellings: Set<String> = []
        for secret in secrets where secret.count >= 4 {
            // As it is, as it stands in JSON, and as it stands in an address.
            let quoted = String(decoding: JSONWriter.text(.string(secret)).dropFirst().dropLast(), as: UTF8.self)
            spellings.formUnion([secret, quoted, Redaction.percentEncoded(secret)])
        }
        self.secrets = spellings.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    /// The bytes of the longest spelling; 0 without any.
    var longest: Int { secrets.first?.utf8.count ?? 0 }

    package func callAsFunction(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "•••") }
    }

    /// The same with all texts and names in these members, however deep.
    package func callAsFunction(_ members: [String: JSONValue]) -> [String: JSONValue] {
        Dictionary(members.map { (self($0), self($1)) }, uniquingKeysWith: { $1 })
    }

    private func callAsFunction(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(self(text))
        case .array(let elements): .array(elements.map { self($0) })
        case .object(let members): .object(self(members))
        default: value
        }
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { out, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || "-._~".unicodeScalars.contains(scalar) {
                out.unicodeScalars.append(scalar)
            } else {
                out += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
