internal import Crypto
internal import FoundationEssentials

/// The ETag of a subtree: a hash of its canonical text, so equal content has equal ETags.
package struct ETag: Hashable, Sendable, CustomStringConvertible {
    /// As it stands in the header, without quotes.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The ETag of a place where nothing is stored.
    package static let null = ETag("null_etag")

    /// The ETag of the subtree whose canonical text is `text`.
    init(of text: [UInt8]) {
        var digest = Digest()
        digest.update(text)
        self = digest.finish()
    }

    package var description: String { text }

    /// Builds an ETag from the canonical text in pieces.
    struct Digest: Sendable {
        private var state = SHA256()

        init() {}

        mutating func update(_ piece: [UInt8]) {
            piece.withUnsafeBytes { state.update(bufferPointer: $0) }
        }

        func finish() -> ETag {
            ETag(Data(state.finalize().prefix(20)).base64EncodedString())
        }
    }
}
