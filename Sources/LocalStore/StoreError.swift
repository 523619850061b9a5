/// Why the state can't be opened or used.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package let word: String

        /// The database is damaged, or no database. Nothing was overwritten.
        package static let corrupt = Code(word: "corrupt")
        /// The folder or the file can't be made.
        package static let cannotCreate = Code(word: "cannotCreate")
        /// Another daemon holds this state.
        package static let inUse = Code(word: "inUse")
        /// No right to read or write.
        package static let permission = Code(word: "permission")
        /// A newer release has written it.
        package static let newer = Code(word: "newer")
        /// The disk is full.
        package static let diskFull = Code(word: "diskFull")
        /// The disk answers with errors.
        package static let inputOutput = Code(word: "inputOutput")
    }

    package var code: Code
    /// One line: what, where, what to do.
    package var message: String

    /// - Parameter message: may quote SQLite, whose line ends become spaces.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    package var description: String { message }
}
