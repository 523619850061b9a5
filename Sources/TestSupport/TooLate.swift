/// What was waited for did not happen in time, or can't happen any more.
package struct TooLate: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
