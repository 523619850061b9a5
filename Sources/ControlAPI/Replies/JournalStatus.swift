/// How far the journal has been read.
package struct JournalStatus: Codable, Hashable, Sendable {
    package var path: String
    /// The end of the last consumed line, in bytes.
    package var offset: UInt64
    /// The size of the file, in bytes.
    package var size: UInt64
    /// The number of lines consumed since the state was made.
    package var lines: Int
    /// The number of its lines in quarantine.
    package var quarantined: Int
    @Nullable package var lastReadAt: Moment?
    /// Why the journal can't be read at the moment.
    @Nullable package var lastError: String?
    /// What the next lines wait for, such as a check that can't be asked; left out where they wait for nothing.
    package var waitsFor: String?

    package init(
        path: String, offset: UInt64 = 0, size: UInt64 = 0, lines: Int = 0, quarantined: Int = 0,
        lastReadAt: Moment? = nil, lastError: String? = nil
    ) {
        self.path = path
        self.offset = offset
        self.size = size
        self.lines = lines
        self.quarantined = quarantined
        self.lastReadAt = lastReadAt
        self.lastError = lastError
    }
}
