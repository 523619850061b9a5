/// The text of security rules is wrong: where, and why.
package struct RulesError: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int
    package let message: String

    package var description: String { "Line \(line), column \(column): \(message)" }
}
