/// A text is not JSON: where, and why.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    /// In characters.
    package let column: Int
    package let message: String

    package var description: String { "\(line):\(column): \(message)" }
}
