internal import OperatingSystem

/// What stood in the journal's files before anybody watched them.
package struct JournalBacklog: Sendable {
    /// How much of each file that is, in bytes.
    var sizes: [FileKey: UInt64] = [:]

    /// Whatever is in the files was appended while somebody watched.
    package static let none = JournalBacklog()

    private init() {}

    /// All that is there now.
    ///
    /// - Parameter path: the journal's.
    package init(beside path: String) {
        let sizes = JournalPaths(path: path).files().map { (FileKey($0.identity), $0.identity.size) }
        self.sizes = Dictionary(sizes) { $1 }
    }
}
