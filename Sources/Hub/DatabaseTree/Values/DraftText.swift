/// Canonical text whose timestamps are still to be filled in.
package struct DraftText: Sendable {
    var text: [UInt8] = []
    /// Where in the text the timestamps belong, ascending.
    private(set) var marks: [Int] = []

    init() {}

    /// A timestamp belongs here.
    mutating func mark() { marks.append(text.count) }

    /// The text with `now`, milliseconds since 1970, for its timestamps.
    package func stamped(_ now: Int64) -> [UInt8] {
        guard !marks.isEmpty else { return text }
        let moment = Array(String(now).utf8)
        var out: [UInt8] = []
        out.reserveCapacity(text.count + marks.count * moment.count)
        var start = 0
        for mark in marks {
            out.append(contentsOf: text[start..<mark])
            out.append(contentsOf: moment)
            start = mark
        }
        out.append(contentsOf: text[start...])
        return out
    }
}
