/// How deep the elements of an XML text stand in each other, seen before a parser is asked that calls itself for each level.
struct XMLNesting {
    private let text: [UInt8]
    private var place = 0

    private init(_ text: [UInt8]) { self.text = text }

    /// The deepest nesting; 0 where the text has no element, as a binary property list.
    ///
    /// Comments and what is marked as plain characters count as text. Of two bytes a character, as in UTF-16, the empty
    /// one is passed over.
    static func depth(of text: [UInt8]) -> Int {
        guard !text.starts(with: Array("bplist".utf8)) else { return 0 }
        var nesting = XMLNesting(text.contains(0) ? text.filter { $0 != 0 } : text)
        return nesting.deepest()
    }

    private mutating func deepest() -> Int {
        var (depth, deepest) = (0, 0)
        while let begin = find("<") {
            place = begin
            if skip("<!--", to: "-->") || skip("<![CDATA[", to: "]]>") || skip("<?", to: "?>") { continue }
            guard let end = find(">") else { break }
            place = end + 1
            switch text[begin + 1] {
            case UInt8(ascii: "!"): continue
            case UInt8(ascii: "/"): depth -= 1
            default: if text[end - 1] != UInt8(ascii: "/") { depth += 1 }
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    /// Goes on behind `end` where `begin` is here; without an end, behind all.
    private mutating func skip(_ begin: StaticString, to end: StaticString) -> Bool {
        guard isHere(begin, at: place) else { return false }
        place += begin.utf8CodeUnitCount
        while place < text.count, !isHere(end, at: place) { place += 1 }
        place = min(text.count, place + end.utf8CodeUnitCount)
        return true
    }

    private func isHere(_ word: StaticString, at place: Int) -> Bool {
        word.withUTF8Buffer { text[place...].starts(with: $0) }
    }

    private func find(_ sign: Unicode.Scalar) -> Int? { text[place...].firstIndex(of: UInt8(ascii: sign)) }
}
