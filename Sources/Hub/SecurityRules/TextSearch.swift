/// Searching in the strings of rules, byte by byte. The effort is linear (Knuth, Morris and Pratt): strings come from
/// outside, and may be large and malicious.
struct TextSearch {
    /// The most bytes that replacing may make.
    private static let maxSize = 64 * 1024 * 1024

    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether `part` occurs.
    func contains(_ part: String) -> Bool {
        guard !part.isEmpty else { return true }
        var found = false
        forEach(Array(part.utf8)) { _ in
            found = true
            return false
        }
        return found
    }

    /// The text with every `part` replaced; unchanged where `part` is empty, nil where it would become huge.
    func replacing(_ part: String, with replacement: String) -> String? {
        let part = Array(part.utf8)
        var out: [UInt8] = []
        var start = 0
        forEach(part) { offset in
            out.append(contentsOf: bytes[start..<offset])
            out.append(contentsOf: replacement.utf8)
            start = offset + part.count
            return out.count <= TextSearch.maxSize
        }
        guard out.count <= TextSearch.maxSize else { return nil }
        out.append(contentsOf: bytes[start...])
        return String(decoding: out, as: UTF8.self)
    }

    /// Hands over where `part` begins, from left to right and never overlapping, until `body` returns false.
    private func forEach(_ part: [UInt8], _ body: (Int) -> Bool) {
        guard !part.isEmpty, part.count <= bytes.count else { return }
        let borders = TextSearch.borders(of: part)
        var length = 0
        for (index, byte) in bytes.enumerated() {
            while length > 0, byte != part[length] { length = borders[length - 1] }
            if byte == part[length] { length += 1 }
            guard length == part.count else { continue }
            guard body(index + 1 - length) else { return }
            length = 0
        }
    }

    /// For each beginning of `part` the length of its longest end that is a beginning too.
    private static func borders(of part: [UInt8]) -> [Int] {
        var borders = [0]
        var length = 0
        for byte in part.dropFirst() {
            while length > 0, byte != part[length] { length = borders[length - 1] }
            if byte == part[length] { length += 1 }
            borders.append(length)
        }
        return borders
    }
}
