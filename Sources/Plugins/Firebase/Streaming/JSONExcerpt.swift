/// The text of one JSON value, as it stood in a larger one.
enum JSONExcerpt: Hashable, Sendable {
    /// The whole text. Its brackets balance; whether it is JSON is for its reader to find out.
    case text([UInt8])
    /// It has this many bytes, more than are kept.
    case tooLong(bytes: Int)

    /// The most bytes of a child that are kept. An edit makes no record of more than 1 MiB, but merging joins the fields of
    /// two, and each may carry a stamp of its own.
    static let limit = 8 << 20

    var isTooLong: Bool { if case .tooLong = self { true } else { false } }

    /// Whether this is `null`.
    var isNull: Bool {
        guard case .text(let text) = self else { return false }
        return text.elementsEqual("null".utf8)
    }
}
