internal import OperatingSystem

/// What stood in the journal's files before anybody watched them.
package struct JournalBacklog: Sendable {
    /// What of one file that is.
    struct Part: Sendable {
        /// In bytes.
        var size: UInt64
        /// When the file was modified then, in milliseconds since 1970: later lines say nothing of when these were made.
        var modified: UInt64
    }

    var parts: [FileKey: Part] = [:]

    /// Whatever is in the files was appended while somebody watched.
    package static let none = JournalBacklog()

    private init() {}

    /// All that is there now.
    ///
    /// - Parameter path: the journal's.
    package init(beside path: String) {
        let parts = JournalPaths(path: path).files().map { file in
            (FileKey(file.identity), Part(size: file.identity.size, modified: file.identity.modified))
        }
        self.parts = Dictionary(parts) { $1 }
    }
}
