internal import SyncModel

/// The text of security rules is wrong: where, and why.
package struct RulesError: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int
    package let message: String

    /// - Parameter message: may quote anything, see ``Swift/String/oneLine``.
    init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message.oneLine
    }

    package var description: String { "Line \(line), column \(column): \(message)" }
}
