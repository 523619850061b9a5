/// Why bytes are not an event stream, or not one that this side can follow.
package struct EventStreamError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package init(_ message: String) { self.message = message }
    package var description: String { message }
}
