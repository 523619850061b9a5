/// When a write that was answered is on the disk.
package enum Fsync: String, Sendable, CaseIterable {
    /// Before it is answered: it survives a power cut.
    case always
    /// Within a second: a power cut may take the last second. A kill of the server takes nothing.
    case interval
    /// When the system writes it out. A power cut may take more; the file stays whole, and a kill takes nothing.
    case never
}
