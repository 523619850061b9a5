internal import DatabaseTree
internal import FirebaseWire
internal import NIOCore
internal import SyncModel

/// What a client says that it has of a place to which it listens again.
struct KnownValue: Sendable {
    let hash: ValueHash
    /// Hashes of its parts, as the libraries for phones send them of what is large.
    let ranges: RangeHashes?
    /// About how many bytes of memory this takes.
    let size: Int

    /// More bytes of hashes than this, or of paths, say nothing: a library sends some hundred for each MiB that it has.
    private static let maxRanges = 1 << 17
    /// What a path and a hash take besides their texts.
    private static let rangeSize = 128

    /// Nil where the client says that it has nothing. Ranges that can't be read are none.
    init?(_ request: SocketFields) {
        guard let text = request.text("h"), !text.isEmpty else { return nil }
        hash = ValueHash(text)
        ranges = request.fields("ch").flatMap { KnownValue.ranges($0) }
        size = text.utf8.count + (ranges?.hashes.reduce(0) { $0 + $1.utf8.count + KnownValue.rangeSize } ?? 0)
    }

    private static func ranges(_ fields: SocketFields) -> RangeHashes? {
        guard let hashes = texts(fields, "hs"), let posts = texts(fields, "ps") else { return nil }
        let paths = posts.compactMap { try? WirePath(parsing: $0) }
        return paths.count == posts.count ? RangeHashes(posts: paths, hashes: hashes) : nil
    }

    private static func texts(_ fields: SocketFields, _ name: String) -> [String]? {
        guard let text = fields.json(name), text.readableBytes <= maxRanges,
            case .array(let values) = fields.value(name)
        else { return nil }
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? texts : nil
    }
}
