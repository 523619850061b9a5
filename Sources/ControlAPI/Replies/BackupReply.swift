/// A copy of the daemon's state as it was at one moment: one SQLite file.
package struct BackupReply: Sendable {
    /// In bytes.
    package var size: Int
    /// Up to so many bytes from an offset on.
    package var read: @Sendable (_ offset: UInt64, _ count: Int) throws -> [UInt8]

    package init(size: Int, read: @escaping @Sendable (_ offset: UInt64, _ count: Int) throws -> [UInt8]) {
        self.size = size
        self.read = read
    }
}
