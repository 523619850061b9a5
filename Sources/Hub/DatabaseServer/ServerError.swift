package import OperatingSystem

/// Why the local server can't start.
package struct ServerError: Error, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package let word: String
        package init(_ word: String) { self.word = word }

        /// Another server holds the folder.
        package static let inUse = Code("inUse")
        /// The address can't be listened on.
        package static let cannotBind = Code("cannotBind")
        /// The folder or the file in it can't be made or opened.
        package static let cannotCreate = Code("cannotCreate")
        /// The folder or a file in it may not be read or written.
        package static let permission = Code("permission")
        /// The disk answers with errors, or is full.
        package static let inputOutput = Code("inputOutput")
        /// The stored data is damaged.
        package static let corrupt = Code("corrupt")
        /// The data was written by a newer release.
        package static let newerVersion = Code("newerVersion")
        /// The rules are not JSON, or not rules.
        package static let invalidRules = Code("invalidRules")
        /// The administrator's secret is no secret.
        package static let invalidSecret = Code("invalidSecret")
        /// Certificate and key are none, or do not belong together.
        package static let invalidTLS = Code("invalidTLS")
        /// The keys of ID tokens can't be read.
        package static let invalidKeys = Code("invalidKeys")
    }

    package var code: Code
    /// One line: what, where, what to do.
    package var message: String
    package var underlying: (any Error)?

    package init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// A file that can't be used.
    package init(_ error: SystemError) {
        self.init(
            error.isPermission ? .permission : error.isInputOutput ? .inputOutput : .cannotCreate, "\(error)",
            underlying: error)
    }

    package var description: String { "\(code.word): \(message)" }
}
