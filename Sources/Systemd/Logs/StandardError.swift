internal import Glibc

/// What standard error is connected to, and one way to write to it.
package enum StandardError {
    /// Whether the journal itself reads standard error: `JOURNAL_STREAM` names its device and inode.
    ///
    /// The variable alone proves nothing: a child with a redirected standard error inherits it.
    package static func isJournal(journalStream: String?) -> Bool {
        var facts = stat()
        guard let journalStream, fstat(STDERR_FILENO, &facts) == 0 else { return false }
        return journalStream == "\(facts.st_dev):\(facts.st_ino)"
    }

    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes the bytes with one `write(2)`, so that lines of several threads and processes do not mix.
    ///
    /// A short write is continued; any other failure is given up: there is nobody left to tell.
    package static func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    package static func writeLine(_ line: String) { write(Array((line + "\n").utf8)) }
}
