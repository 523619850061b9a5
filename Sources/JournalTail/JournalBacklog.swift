internal import OperatingSystem

/// What stood in the journal's files before anybody watched them.
package struct JournalBacklog: Sendable {
    /// What of one file that is.
    struct Part: Sendable {
        /// In bytes.
        var size: UInt64
        /// When the file was modified then, in milliseconds since 1970: later lines say nothing of when these were made.
        var modified: UInt64

        /// Whether these are lines that came after the file had been copied and emptied.
        ///
        /// - Parameters:
        ///   - offset: how much of the file was consumed before.
        ///   - copy: the copy; nil where it was made later.
        func wasEmptied(consumed offset: UInt64, _ copy: Part?) -> Bool {
            if size < offset { return true }
            guard let copy else { return false }
            // Whatever is written to a copy is written before the file is emptied.
            return modified == copy.modified ? size != copy.size : modified > copy.modified
        }
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
