/// A text is not JSON, or not UTF-8, or nested deeper than 64 levels.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package var description: String { message }
}
