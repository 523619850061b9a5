/// A body of `multipart/related` as clients upload with it: metadata in JSON, and what it is about.
struct TwoParts: Hashable {
    /// The first part is no longer than this, in bytes.
    private static let longestHead = 64 << 10

    let json: [UInt8]
    let content: ArraySlice<UInt8>

    /// The boundary that a `Content-Type` names; nil where it is none of parts.
    static func boundary(in contentType: String?) -> String? {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/related") else { return nil }
        for piece in contentType.split(separator: ";").dropFirst() {
            let pair = piece.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard pair.count == 2, pair[0].lowercased() == "boundary" else { continue }
            let isQuoted = pair[1].hasPrefix("\"")
            let text = pair[1].dropFirst(isQuoted ? 1 : 0).prefix { $0 != (isQuoted ? "\"" : " ") }
            return (1...200).contains(text.utf8.count) ? String(text) : nil
        }
        return nil
    }

    /// Nil where the body is not just two parts.
    init?(_ body: [UInt8], boundary: String) {
        let line = Array("--\(boundary)".utf8)
        var end = body.endIndex
        while end > 0, body[end - 1] == 0x0A || body[end - 1] == 0x0D { end -= 1 }
        let closing = Array("\r\n".utf8) + line + Array("--".utf8)
        guard body.starts(with: line), body[..<end].hasEnd(closing) else { return nil }
        let contentEnd = end - closing.count
        let opening = body[..<min(contentEnd, TwoParts.longestHead)]
        guard let jsonStart = opening.end(of: TwoParts.emptyLine, from: line.count),
            let second = opening.end(of: Array("\r\n".utf8) + line + Array("\r\n".utf8), from: jsonStart),
            let start = opening.end(of: TwoParts.emptyLine, from: second - 2)
        else { return nil }
        json = Array(body[jsonStart..<(second - line.count - 4)])
        content = body[start..<contentEnd]
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)
}

extension ArraySlice<UInt8> {
    fileprivate func hasEnd(_ bytes: [UInt8]) -> Bool { count >= bytes.count && suffix(bytes.count) == bytes[...] }

    /// Where the first `bytes` at or after `start` end; nil where there are none.
    fileprivate func end(of bytes: [UInt8], from start: Int) -> Int? {
        guard start >= startIndex else { return nil }
        var at = start
        while at + bytes.count <= endIndex {
            if self[at] == bytes[0], self[at..<(at + bytes.count)] == bytes[...] { return at + bytes.count }
            at += 1
        }
        return nil
    }
}
