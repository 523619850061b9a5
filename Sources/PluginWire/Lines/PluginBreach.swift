internal import SyncModel

/// How a plugin broke the protocol; whoever does that is ended.
package struct PluginBreach: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// What it printed is no JSON object.
        case notJSON
        /// The object is no answer: no whole `id`, or not exactly one of `item`, `progress`, `ok`, `error`.
        case notAnAnswer
        case lineTooLong
        /// An id that no call had.
        case unknownID
        /// Many lines that nobody waits for.
        case strayLines
        /// The first call, `hello`, was not answered in time.
        case noHello
        /// A call that was cancelled did not end.
        case hangs
        /// A search or the like that somebody gave up did not end: it may do one thing after the other. No failure.
        case passesOver
    }

    package let code: Code
    /// What it did, beginning with "it"; one line.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.oneLine
    }

    package var description: String { message }

    /// The beginning of what a plugin printed, in quotes.
    ///
    /// - Parameter redaction: takes secrets out before anything is cut off, so that no part of one stays.
    package static func excerpt(_ line: some Collection<UInt8>, _ redaction: Redaction = Redaction([])) -> String {
        let text = redaction(String(decoding: line, as: UTF8.self))
        return "\"\(String(decoding: text.utf8.prefix(80), as: UTF8.self).oneLine)\(text.utf8.count > 80 ? "…" : "")\""
    }
}
