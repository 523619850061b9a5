internal import Crypto
package import SyncModel

extension Content {
    /// The content that `fields` are once Firebase has stored them.
    ///
    /// The canonical form is that of `docs/protocol.md` section 4: pruned, keys in byte order. Fields that are all
    /// empty give the content `{}`.
    package init(fields: [String: JSONValue]) {
        let text = JSONWriter.text(fields.values.allSatisfy(\.isPruned) ? fields : fields.compactMapValues(\.pruned))
        self.init(text: text, hash: ContentHash(of: text))
    }

    /// The content whose canonical text this is, as it was stored.
    package init(canonicalText text: [UInt8]) {
        self.init(text: text, hash: ContentHash(of: text))
    }

    /// The fields, read from the canonical text.
    package var fields: [String: JSONValue] {
        (try? JSONReader.members(text)) ?? [:]
    }
}

extension ContentHash {
    /// The SHA-256 of `text`.
    package init(of text: [UInt8]) {
        var hasher = SHA256()
        text.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        self = hasher.finalize().withUnsafeBytes { digest in
            func word(_ index: Int) -> UInt64 {
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            return ContentHash(word(0), word(1), word(2), word(3))
        }
    }
}

extension OperationMark {
    package init(_ opID: String) { self.init(ContentHash(of: Array(opID.utf8))) }
}
