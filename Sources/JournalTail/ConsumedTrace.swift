/// What is remembered of all that was consumed of a file: enough to know later whether it is still the same content.
struct ConsumedTrace: Sendable {
    /// How much of the beginning is remembered, in bytes.
    static let headLimit = 1024
    /// How much before the end of the consumed part is remembered, in bytes.
    static let tailLimit = 256

    /// The first up to 1,024 consumed bytes.
    private(set) var head: [UInt8]
    /// The last up to 256 consumed bytes.
    private(set) var tail: [UInt8]
    /// All of it.
    private(set) var digest: BlockDigest

    /// Nothing consumed yet, or, from a file, what was found there.
    init(head: [UInt8] = [], tail: [UInt8] = [], digest: BlockDigest = BlockDigest()) {
        self.head = head
        self.tail = tail
        self.digest = digest
    }

    /// The first complete line, if the remembered beginning holds it.
    var firstLine: ArraySlice<UInt8>? {
        head.firstIndex(of: 0x0A).map { head[...$0] }
    }

    mutating func consumed(_ bytes: ArraySlice<UInt8>) {
        digest.add(bytes)
        addEdges(first: bytes, last: bytes)
    }

    /// As ``consumed(_:)`` for bytes that are no longer there, by their first 1,024, their last 256 and the digest that
    /// was kept up with them.
    mutating func consumed(first: ArraySlice<UInt8>, last: ArraySlice<UInt8>, digest: BlockDigest) {
        self.digest = digest
        addEdges(first: first, last: last)
    }

    /// Takes in what was read in the meantime of the blocks that were not known.
    mutating func learned(_ earlier: BlockDigest) { digest.prepend(earlier) }

    private mutating func addEdges(first: ArraySlice<UInt8>, last: ArraySlice<UInt8>) {
        if head.count < ConsumedTrace.headLimit {
            head.append(contentsOf: first.prefix(ConsumedTrace.headLimit - head.count))
        }
        tail = ConsumedTrace.end(of: tail, followedBy: last)
    }

    /// The last 256 bytes of two pieces that follow each other.
    static func end(of bytes: [UInt8], followedBy more: ArraySlice<UInt8>) -> [UInt8] {
        if more.count >= tailLimit { return Array(more.suffix(tailLimit)) }
        return bytes.suffix(tailLimit - more.count) + more
    }
}
