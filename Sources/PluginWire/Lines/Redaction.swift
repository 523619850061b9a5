internal import JSONText
package import SyncModel

/// Takes secrets out of what a plugin says before anybody else sees it.
package struct Redaction: Hashable, Sendable {
    /// The longest first, so that no rest of one stays because another is its beginning.
    private let secrets: [String]

    /// - Parameter secrets: shorter ones than 4 characters are not looked for: they stand everywhere. Of one with several
    ///   lines, such as a key in PEM, each is looked for that has 8 or more.
    package init(_ secrets: some Sequence<String>) {
        var spellings: Set<String> = []
        for secret in secrets where secret.count >= 4 {
            spellings.formUnion(Redaction.spellings(of: secret))
            for line in secret.split(whereSeparator: \.isNewline) where line.count >= 8 && !line.hasPrefix("-----") {
                spellings.formUnion(Redaction.spellings(of: String(line)))
            }
        }
        self.init(spellings: spellings)
    }

    private init(spellings: Set<String>) {
        secrets = spellings.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    /// Takes these out, too.
    package func adding(_ others: some Sequence<String>) -> Redaction {
        Redaction(spellings: Set(secrets).union(Redaction(others).secrets))
    }

    /// A secret as it is, as it stands in JSON, in all of Unicode or in ASCII alone, in an address, and in a form.
    private static func spellings(of secret: String) -> [String] {
        let quoted = String(decoding: JSONWriter.text(.string(secret)).dropFirst().dropLast(), as: UTF8.self)
        let encoded = percentEncoded(secret)
        return [secret, quoted, inASCII(quoted), encoded, encoded.replacing("%20", with: "+")]
    }

    private static func inASCII(_ quoted: String) -> String {
        quoted.utf16.reduce(into: "") { out, unit in
            if let scalar = Unicode.Scalar(unit), scalar.isASCII {
                out.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
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
