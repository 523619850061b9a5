/// Canonical text whose timestamps are still to be filled in.
package struct DraftText: Sendable {
    var text: [UInt8] = []
    /// Where in the text the first timestamp belongs. Few texts have more, and a large write has many texts.
    private var first: Int?
    /// Where the others belong, ascending.
    private var others: [Int] = []

    init() {}

    /// A timestamp belongs here.
    mutating func mark() {
        if first == nil { first = text.count } else { others.append(text.count) }
    }

    /// The text with `now`, milliseconds since 1970, for its timestamps.
    package func stamped(_ now: Int64) -> [UInt8] {
        guard let first else { return text }
        let moment = Array(String(now).utf8)
        var out: [UInt8] = []
        out.reserveCapacity(text.count + (1 + others.count) * moment.count)
        out.append(contentsOf: text[..<first])
        var start = first
        for mark in others {
            out.append(contentsOf: moment)
            out.append(contentsOf: text[start..<mark])
            start = mark
        }
        out.append(contentsOf: moment)
        out.append(contentsOf: text[start...])
        return out
    }
}
