/// By what an operation is known again: half of the SHA-256 of its `opID`.
package struct OperationMark: Hashable, Sendable {
    package let words: (UInt64, UInt64)

    package init(words: (UInt64, UInt64)) { self.words = words }

    package init(_ hash: ContentHash) { words = (hash.words.0, hash.words.1) }

    /// By what it is known that the operation has waited, in a hold or in the quarantine.
    package var waited: OperationMark { OperationMark(words: (~words.0, words.1)) }

    package static func == (left: OperationMark, right: OperationMark) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
