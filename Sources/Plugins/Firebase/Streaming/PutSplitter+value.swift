extension PutSplitter {
    /// The children of one complete JSON text, as the data of a `put` at `/` would give them.
    ///
    /// A text that is no object or array is one ``Part/value(path:_:)``.
    static func parts(
        of text: [UInt8], limit: Int = JSONExcerpt.limit, _ emit: (Part) throws -> Void
    ) throws {
        var splitter = PutSplitter(limit: limit)
        try splitter.read(Array(#"{"path":"/","data":"#.utf8)[...], emit)
        try splitter.read(text[...], emit)
        try splitter.read([UInt8(ascii: "}")], emit)
        try splitter.end(emit)
    }
}
